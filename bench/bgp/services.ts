// Which Services does a benchmark announce? Each with an address of its own, behind every node.
import { service, type Written } from '../../test/lab/objects.ts'

const own = 'metallb-system'
const metallb = (kind: string, spec: object): Written => ({
  path: `/apis/metallb.io/v1beta1/namespaces/${own}/${kind.toLowerCase()}s/many`,
  body: {
    ...{ apiVersion: 'metallb.io/v1beta1', kind },
    ...{ metadata: { name: 'many', namespace: own }, spec },
  },
})

/** Announced by BGP, or on the lan. */
export const poolFor = (protocol: 'bgp' | 'layer2'): readonly Written[] => [
  metallb('IPAddressPool', { addresses: [`${base}0.0/16`], autoAssign: false }),
  protocol === 'bgp'
    ? metallb('BGPAdvertisement', { ipAddressPools: ['many'] })
    : metallb('L2Advertisement', { ipAddressPools: ['many'] }),
]

const base = '10.60.'

export const addressOf = (at: number): string => `${base}${at >> 8}.${at & 255}`

/** Policy Local would need a health-check node port each, and there are only 2,768. */
export function servedBy(at: number): readonly Written[] {
  const name = `many-${at}`
  return [
    service({ name, address: addressOf(at), policy: 'Cluster' }),
    {
      path: `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${name}`,
      body: {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        endpoints: [{ addresses: ['10.30.11.2'], nodeName: 'node-1', conditions: { ready: true } }],
      },
    },
  ]
}
