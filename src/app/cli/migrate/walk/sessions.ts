// Whose are the BGP sessions of a node, and are they up before routers send traffic to it again? By
// what its speaker of Berth reports; MetalLB's reports no sessions.
import { isEstablished } from '../../../../core/model/bgpSession.ts'
import { matchesAny } from '../../../../core/model/selector.ts'
import { decodeBgpSession } from '../../../../edge/kube/decode/decodeBgpSession.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { loadLive } from '../../live/loadLive.ts'
import { newSession } from '../../load.ts'
import { bgpUse } from '../checkBgp.ts'
import { speakerName } from './standing.ts'
import { listed, readOne, remove, type Walk, waitFor } from './walk.ts'

/** Stops the walk while a peer that is used from this node has no session with it. */
export async function sessionsAreUp(walk: Walk, node: string): Promise<void> {
  if (walk.acceptsDownPeers) return
  const wanted = await peersOf(walk, node)
  if (wanted.length === 0) return
  await waitFor(walk, async () => {
    const sessions = (await listed(walk, 'BGPSession'))
      .map(decodeBgpSession)
      .filter((one) => one.node === node)
    const down = wanted.find(
      (peer) => !sessions.some((one) => one.peer === peer && isEstablished(one)),
    )
    if (down === undefined) return ''
    const said = sessions.find(({ peer }) => peer === down)?.lastError?.message
    const why = said === undefined ? '' : `: ${said}`
    return (
      `Berth on ${node} reports no BGP session with ${down}${why}. The node stays drained. If ` +
      'this peer is down on purpose, or FRR does not report its sessions, run the step again ' +
      'with --accept-down-peers'
    )
  })
}

/**
 * What MetalLB wrote for frr-k8s outlives its speaker: frr-k8s would keep the session, and a router
 * has one for an address. Where Berth leaves sessions to frr-k8s it goes on with the same object.
 */
export async function endSessionsOfFrr(walk: Walk, node: string): Promise<void> {
  if (await isWithFrr(walk)) return
  for (const one of await listed(walk, 'FRRConfiguration')) {
    const { name, namespace } = metaOf(one)
    if (name !== `metallb-${node}`) continue
    walk.io.err(`  frr-k8s ends the sessions of MetalLB on ${node}\n`)
    await remove(walk, { kind: 'FRRConfiguration', name, namespace })
  }
}

/** Whether FRR has the sessions of Berth. */
async function isWithFrr(walk: Walk): Promise<boolean> {
  const at = { kind: 'DaemonSet', name: speakerName, namespace: walk.namespace } as const
  const pod = (await readOne(walk, at))?.inner('spec').inner('template').inner('spec')
  const args = pod?.each('containers').flatMap((one) => one.texts('args')) ?? []
  return args.some((arg) => arg.startsWith('--bgp-backend=frr'))
}

/** Names of peers in use that select the node, in order. */
async function peersOf({ io, api, namespace }: Walk, name: string): Promise<readonly string[]> {
  const session = await newSession(io, { ownNamespace: namespace, loadBalancerClass: '' })
  await loadLive(session, api)
  const { world } = session.cluster
  const labels = world.all('Node').get(name)?.labels ?? {}
  return bgpUse(world)
    .peers.filter(
      ({ nodeSelectors }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels),
    )
    .map((peer) => peer.name)
}
