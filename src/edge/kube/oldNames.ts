// How is what older guides write called now? Kinds and fields of MetalLB before 0.13, and slips of
// the pen in the case of a kind.
import { meant } from '../../core/model/meant.ts'
import { kinds } from './kinds.ts'

/** AddressPool was divided in two: what there is, and how it is announced. */
const oldKinds: ReadonlyMap<string, string> = new Map([
  [
    'AddressPool',
    'it is an IPAddressPool now, with an L2Advertisement (protocol: layer2) or a ' +
      'BGPAdvertisement (protocol: bgp) beside it',
  ],
])

/** What to write instead of a kind that nobody knows; undefined if nothing comes near. */
export function kindNow(kind: string, apiVersion: string): string | undefined {
  const old = oldKinds.get(kind)
  if (old !== undefined) return old
  const row = kinds.find((one) => one.kind.toLowerCase() === kind.toLowerCase())
  const group = apiVersion.includes('/') ? apiVersion.split('/', 1).join() : ''
  if (row === undefined || row.group !== group) {
    const ofGroup = kinds.filter((one) => one.group === group).map((one) => one.kind)
    return meant(kind, ofGroup).replace(/^; /, '') || undefined
  }
  const [now, version] = [row.kind, row.group === '' ? row.version : `${row.group}/${row.version}`]
  if (now === kind) return `its version is ${version} now`
  return `it is written ${now}${version === apiVersion ? '' : `, in version ${version}`}`
}

const pools = 'spec.ipAddressPools'
type Names = ReadonlyMap<string, string>

const ofAdvertisements: Names = new Map([
  ['spec.pools', `it is called ${pools} now`],
  ['spec.addressPools', `it is called ${pools} now`],
  ['spec.ipAddressPool', `it is called ${pools} now, and is a list`],
  ['spec.ipAddressPoolSelector', 'it is called spec.ipAddressPoolSelectors now, and is a list'],
  ['spec.nodeSelector', 'it is called spec.nodeSelectors now, and is a list'],
  ['spec.aggregation-length', 'it is called spec.aggregationLength now'],
  ['spec.localpref', 'it is called spec.localPref now'],
])

const ofPools: Names = new Map([
  [
    'spec.protocol',
    'how a pool is announced is now up to an L2Advertisement or BGPAdvertisement that names it',
  ],
  ['spec.bgpAdvertisements', 'each is a BGPAdvertisement that names the pool now'],
  ['spec.bgp-advertisements', 'each is a BGPAdvertisement that names the pool now'],
  ['spec.auto-assign', 'it is called spec.autoAssign now'],
  ['spec.avoid-buggy-ips', 'it is called spec.avoidBuggyIPs now'],
])

const ofPeers: Names = new Map([
  ['spec.my-asn', 'it is called spec.myASN now'],
  ['spec.peer-asn', 'it is called spec.peerASN now'],
  ['spec.peer-address', 'it is called spec.peerAddress now'],
  ['spec.peer-port', 'it is called spec.peerPort now'],
  ['spec.hold-time', 'it is called spec.holdTime now'],
  ['spec.router-id', 'it is called spec.routerID now'],
  ['spec.nodeSelector', 'it is called spec.nodeSelectors now, and is a list'],
  ['spec.node-selectors', 'it is called spec.nodeSelectors now'],
])

const oldFields: ReadonlyMap<string, Names> = new Map([
  ['IPAddressPool', ofPools],
  ['L2Advertisement', ofAdvertisements],
  ['BGPAdvertisement', ofAdvertisements],
  ['BGPPeer', ofPeers],
])

/** The same for a field of a kind that there is. */
export const fieldNow = (kind: string, field: string): string | undefined =>
  oldFields.get(kind)?.get(field)
