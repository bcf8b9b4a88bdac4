// Is BGP in use, and would a router see something else from Berth? Judged by the peers and
// advertisements that select something, not by the mode.
import type { BgpAdvertisement, Peer } from '../../../core/model/announcing.ts'
import type { NodeInterfaces } from '../../../core/model/node.ts'
import { matchesAny } from '../../../core/model/selector.ts'
import type { ReadonlyWorld } from '../../../core/model/world.ts'
import { counted } from '../../../core/net/counted.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { prefixAround, prefixText } from '../../../core/net/range.ts'
import { reaches } from '../../../core/policy/announce/advertiseBgp.ts'
import { coversPool } from '../../../core/policy/announce/subject.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { CheckFinding } from './checkFinding.ts'
import { isForeignFrr } from './frrUse.ts'
import { bgpModeOf, type Workload } from './metallb.ts'

type BgpUse = {
  readonly peers: readonly Peer[]
  readonly advertisements: readonly BgpAdvertisement[]
}
type Extras = {
  /** ConfigMaps and FRRConfigurations, wherever they are. */
  readonly configMaps: readonly unknown[]
  readonly frrConfigurations: readonly unknown[]
}

/** Advertisements that select a pool, and the peers among them that select a node. */
export function bgpUse(world: ReadonlyWorld): BgpUse {
  const pools = [...world.pools.values()]
  const nodes = [...world.all('Node').values()]
  const covering = [...world.all('BGPAdvertisement').values()].filter((by) =>
    pools.some((pool) => coversPool(by, pool)),
  )
  const peers = [...world.all('BGPPeer').values()]
    .filter(({ nodeSelectors }) =>
      nodes.some(({ labels }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels)),
    )
    .filter((peer) => covering.some((by) => reaches(by, peer)))
    .sort(byName)
  const advertisements = covering.filter((by) => peers.some((peer) => reaches(by, peer)))
  return { peers, advertisements: advertisements.sort(byName) }
}

/** Whether an L2Advertisement selects a pool. */
export const usesLayer2 = (world: ReadonlyWorld): boolean =>
  [...world.all('L2Advertisement').values()].some((by) =>
    [...world.pools.values()].some((pool) => coversPool(by, pool)),
  )

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1

export function bgpFindings(
  world: ReadonlyWorld,
  speakers: readonly Workload[],
  extras: Extras,
): CheckFinding[] {
  const use = bgpUse(world)
  const [speaker] = speakers
  if (speaker === undefined) return []
  const mode = bgpModeOf(speaker)
  const id = `DaemonSet/${speaker.namespace}/${speaker.name}`
  return [
    ...(use.peers.length === 0 ? [] : [inUse(id, mode, use)]),
    ...(mode === 'native' ? nativeFindings(world, use) : []),
    ...(mode === 'native' ? [] : extraFindings(extras, speaker.namespace)),
  ]
}

function inUse(object: string, mode: string, { peers, advertisements }: BgpUse): CheckFinding {
  const [peer, by] = [
    counted(peers.length, 'peer'),
    counted(advertisements.length, 'BGPAdvertisement'),
  ]
  return {
    code: 'bgp-in-use',
    severity: 'warning',
    object,
    message:
      `MetalLB announces by BGP (${mode}) to ${peer} for ${by}. A node that changes over ends ` +
      "MetalLB's session and opens Berth's from the same address; while it is drained, routers " +
      `use the other nodes${mode === 'frr-k8s' ? keptSessions : ''}`,
    fixes: [],
  }
}

const keptSessions =
  '. Installed from deploy/kustomize/frr-k8s/beside-metallb, Berth leaves the sessions to ' +
  'frr-k8s, ' +
  'and none of them ends'

/** Native MetalLB differs from FRR, and so from Berth, in two ways that a router notices. */
function nativeFindings(world: ReadonlyWorld, use: BgpUse): CheckFinding[] {
  return use.peers.flatMap((peer) => {
    const object = `BGPPeer/${peer.name}`
    const isInternal = peer.myASN === peer.peerASN || peer.dynamicASN === 'internal'
    const bare = use.advertisements.some((by) => reaches(by, peer) && by.localPref === 0)
    if (isInternal && bare) return [localPref(object, world.ownNamespace)]
    if (isInternal || peer.ebgpMultiHop) return []
    const apart = apartFrom(world, peer)
    return apart.length === 0 ? [] : [multihop(object, peer, apart)]
  })
}

const localPref = (object: string, namespace: string): CheckFinding => ({
  code: 'native-local-pref',
  severity: 'warning',
  object,
  message:
    'native MetalLB sends LOCAL_PREF 0 to internal peers where no localPref is set; Berth sends ' +
    '100, as FRR does, and its nodes would be preferred until the last one has changed over',
  fixes: [`kubectl -n ${namespace} set env daemonset berth-speaker METALLB_BGP_TYPE=native`],
})

const hops = '{"spec":{"ebgpMultiHop":true}}'

const multihop = (
  object: string,
  { peerAddress, name, namespace }: Peer,
  nodes: readonly string[],
): CheckFinding => ({
  code: 'multihop-not-set',
  severity: 'error',
  object,
  message:
    `${peerAddress} is in no subnet of ${someOf(nodes)}. ` +
    'Native MetalLB reaches it all the same, but Berth sends to external peers with TTL 1 ' +
    'unless ebgpMultiHop is set',
  fixes: [`kubectl -n ${namespace} patch bgppeer ${name} --type=merge -p '${hops}'`],
})

const someOf = (nodes: readonly string[]): string =>
  nodes.length > 3
    ? `${nodes.slice(0, 3).join(', ')} and ${counted(nodes.length - 3, 'other')}`
    : nodes.join(', ')

/** Nodes of the peer that have no subnet with it; those that report none are left out. */
function apartFrom(world: ReadonlyWorld, { peerAddress, nodeSelectors }: Peer): readonly string[] {
  const peer = parseIp(peerAddress)
  if (!peer.ok) return []
  const isNear = ({ interfaces }: NodeInterfaces): boolean =>
    interfaces
      .flatMap(({ addresses }) => addresses)
      .some(({ address, prefixLength }) => {
        const isSameFamily = address.includes(':') === peer.value.includes(':')
        const around = (ip: typeof address) => prefixText(prefixAround(ip, prefixLength))
        return isSameFamily && around(address) === around(peer.value)
      })
  return [...world.all('Node').values()]
    .filter(({ labels }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels))
    .flatMap(({ name }) => world.all('NodeInterfaces').get(name) ?? [])
    .filter((report) => !isNear(report))
    .map(({ name }) => name)
    .sort()
}

function extraFindings(
  { configMaps, frrConfigurations }: Extras,
  namespace: string,
): CheckFinding[] {
  const named = (json: unknown) => metaOf(new Fields(json, []))
  const extras = configMaps.map(named).filter((one) => one.name === 'bgpextras')
  const foreign = frrConfigurations.filter((json) => isForeignFrr(new Fields(json, []))).map(named)
  return [
    ...extras
      .filter((one) => one.namespace === namespace)
      .map((one) => ({
        code: 'bgpextras-in-use' as const,
        severity: 'warning' as const,
        object: `ConfigMap/${one.namespace}/${one.name}`,
        message:
          'FRR configuration that is added to what MetalLB writes; Berth reads it only with ' +
          '--bgp-backend=frr. Say the same in BGPPeers and BGPAdvertisements, or on the router',
        fixes: [],
      })),
    ...foreign.map((one) => ({
      code: 'foreign-frr-configuration' as const,
      severity: 'warning' as const,
      object: `FRRConfiguration/${one.namespace}/${one.name}`,
      message:
        'others configure the same FRR; keep frr-k8s for them. A router that both speak to sees ' +
        'two sessions from the node and takes the newer one: give one of them another source ' +
        'address',
      fixes: [],
    })),
  ]
}
