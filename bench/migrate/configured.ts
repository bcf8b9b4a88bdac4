// What is there to migrate? Services of four kinds, each with its pool: IPv4 and IPv6, on layer 2 and by
// BGP.
import { configuration, service } from '../../test/migrate/metallbObjects.ts'
import { asNumbers, clientAddresses } from '../../test/migrate/rig.ts'

type Counts = {
  readonly four: number
  readonly six: number
  readonly routed: number
  readonly routedSix: number
}

const namespace = 'metallb-system'
const metallb = (kind: string, name: string, spec: object): object => ({
  ...{ apiVersion: `metallb.io/${kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'}`, kind },
  ...{ metadata: { name, namespace }, spec },
})

const sixConfiguration = [
  metallb('IPAddressPool', 'lan6', { addresses: ['fd00:10::100:1-fd00:10::100:ff'] }),
]
const routedConfiguration = [
  metallb('IPAddressPool', 'routed', { addresses: ['10.20.0.0/24'], autoAssign: false }),
  metallb('BGPPeer', 'tor', {
    ...{ myASN: asNumbers.nodes, peerASN: asNumbers.router, peerAddress: clientAddresses.lan4 },
    holdTime: '9s',
  }),
  metallb('BGPAdvertisement', 'routed', { ipAddressPools: ['routed'], peers: ['tor'] }),
]
/** MetalLB's native mode has no BGP for IPv6. */
const routedSixConfiguration = [
  metallb('IPAddressPool', 'routed6', { addresses: ['fd00:20::/120'], autoAssign: false }),
  metallb('BGPPeer', 'tor6', {
    ...{ myASN: asNumbers.nodes, peerASN: asNumbers.router, peerAddress: clientAddresses.lan6 },
    holdTime: '9s',
  }),
  metallb('BGPAdvertisement', 'routed6', { ipAddressPools: ['routed6'], peers: ['tor6'] }),
]
/** Only what is on the link. */
const onLink = metallb('L2Advertisement', 'lan', {
  ...{ interfaces: ['eth0'], ipAddressPools: ['lan', 'lan6'] },
})

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at + 1}`)

type Json = Readonly<Record<string, unknown>> & {
  readonly spec?: object
  readonly metadata?: object
}

const sixOf = (name: string): object[] =>
  (service(name) as readonly Json[]).map((object) =>
    object.spec === undefined
      ? { ...object, addressType: 'IPv6', endpoints: [endpoint] }
      : { ...object, spec: { ...object.spec, ipFamilies: ['IPv6'] } },
  )
const endpoint = { addresses: ['fd00:10::11'], conditions: { ready: true } }

const routedOf = (objects: readonly object[], pool: string): object[] =>
  (objects as readonly Json[]).map((object) => {
    if (object.spec === undefined) return object
    const annotations = { 'metallb.io/address-pool': pool }
    return { ...object, metadata: { ...object.metadata, annotations } }
  })

export const configured = ({ four, six, routed, routedSix }: Counts): readonly object[] => [
  ...(configuration as readonly { kind: string }[]).filter(({ kind }) => kind === 'IPAddressPool'),
  onLink,
  ...(six === 0 ? [] : sixConfiguration),
  ...(routed === 0 ? [] : routedConfiguration),
  ...(routedSix === 0 ? [] : routedSixConfiguration),
  ...named('web', four).flatMap(service),
  ...named('six', six).flatMap(sixOf),
  ...named('bgp', routed).flatMap((name) => routedOf(service(name), 'routed')),
  ...named('bgpsix', routedSix).flatMap((name) => routedOf(sixOf(name), 'routed6')),
]
