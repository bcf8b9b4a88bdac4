// What is there to migrate? Services of three kinds, each with its pool: IPv4 and IPv6 on layer 2, and
// IPv4 by BGP.
import { configuration, service } from '../../test/migrate/metallbObjects.ts'
import { clientAddresses } from '../../test/migrate/rig.ts'

type Counts = { readonly four: number; readonly six: number; readonly routed: number }

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
    ...{ myASN: 64513, peerASN: 64512, peerAddress: clientAddresses.lan4 },
    ...{ holdTime: '9s', keepaliveTime: '3s' },
  }),
  metallb('BGPAdvertisement', 'routed', { ipAddressPools: ['routed'] }),
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

const routedOf = (name: string): object[] =>
  (service(name) as readonly Json[]).map((object) => {
    if (object.spec === undefined) return object
    const annotations = { 'metallb.io/address-pool': 'routed' }
    return { ...object, metadata: { ...object.metadata, annotations } }
  })

export const configured = ({ four, six, routed }: Counts): readonly object[] => [
  ...(configuration as readonly { kind: string }[]).filter(({ kind }) => kind === 'IPAddressPool'),
  onLink,
  ...(six === 0 ? [] : sixConfiguration),
  ...(routed === 0 ? [] : routedConfiguration),
  ...named('web', four).flatMap(service),
  ...named('six', six).flatMap(sixOf),
  ...named('bgp', routed).flatMap(routedOf),
]
