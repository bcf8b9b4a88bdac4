// Manifests as texts, for who reads files: each is good but for what a test adds.

export const pool = (
  name: string,
  addresses: string,
  rest = '',
): string => `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata:
  name: ${name}
  namespace: metallb-system
  ${rest}
spec:
  addresses: [${addresses}]
`
export const service = (name: string, annotations = '', spec = ''): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop
  annotations:
    note: none
    ${annotations}
spec:
  type: LoadBalancer
  ${spec}
  ports: [{port: 80}]
`
export const l2 = `apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: all, namespace: metallb-system}
`
export const good = {
  'good.yaml': [pool('lan', '192.0.2.10-192.0.2.20'), l2, service('web')].join('---\n'),
}
export const attachment = (range: string): string => `apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: api, namespace: shop}
spec:
  config: '{"type": "macvlan", "master": "eth0", "ipam": {"type": "whereabouts",
    "range": "192.0.2.0/24", "range_start": "192.0.2.${range}", "range_end": "192.0.2.${range}"}}'
`
const unknownIn = (text: string): string => text.replace('spec:\n', 'spec:\n  protocol: layer2\n')
export const withUnknown = unknownIn(pool('lan', '192.0.2.0/24'))
export const otherUnknown = unknownIn(pool('other', '198.51.100.0/24'))
