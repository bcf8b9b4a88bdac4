// Which files of the corpus wait for a later capability, and for which?
export const notYet: Readonly<Record<string, string>> = {
  'berth/tenant-made.yaml': 'what a tenant makes beside pools (R4.15 to R4.18)',
  'berth/site.yaml': 'sites (R6)',
  'openstack/dns.yaml': 'the DNS controllers',
  'openstack/ipset.yaml': 'the IPAM controllers',
  'openstack/netconfig.yaml': 'the IPAM controllers',
}
