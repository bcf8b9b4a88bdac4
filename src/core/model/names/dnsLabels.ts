// By which labels and annotations are hosts and DNS servers found?

/** On ConfigMaps with hosts; its value says which servers read them. */
export const hostsLabel = 'dnsmasqhosts'
/** On what is made from a DNSMasq. */
export const serverLabel = { key: 'service', value: 'dnsmasq' } as const
export const nameServerLabel = `${serverLabel.key}=${serverLabel.value}`
/** On a LoadBalancer Service: the name that its addresses get. */
export const hostnameAnnotation = 'dnsmasq.network.openstack.org/hostname'
