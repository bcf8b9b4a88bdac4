// Whose are the BGP sessions of a node, and are they up before routers send traffic to it again? By
// what its speaker of Berth reports; MetalLB's reports no sessions, and is given time.
import { isEstablished } from '../../../../core/model/bgpSession.ts'
import { matchesAny } from '../../../../core/model/selector.ts'
import { decodeBgpSession } from '../../../../edge/kube/decode/decodeBgpSession.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { bgpUse } from '../checkBgp.ts'
import { speakerName, usesFrr } from '../frrUse.ts'
import { liveWorld } from './liveWorld.ts'
import { listed, readOne, remove, type Walk, waitFor } from './walk.ts'

/** Stops the walk while a peer that is used from this node has no session with it. */
export async function sessionsAreUp(walk: Walk, node: string): Promise<void> {
  await endSessionsOfFrr(walk, node)
  if (walk.acceptsDownPeers) return
  const wanted = await peersOf(walk, node)
  if (wanted.length === 0) return
  await waitFor(walk, async () => {
    await endSessionsOfFrr(walk, node)
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
 * MetalLB's speaker says that it announces before its sessions are up, and FRR beside it takes long
 * to start: they get a while, in which the node stays drained and routers use the others.
 */
export async function sessionsSettle(walk: Walk, node: string): Promise<void> {
  if (walk.settleMs === 0 || (await peersOf(walk, node)).length === 0) return
  const { io, settleMs, withinMs } = walk
  io.err(`  ${node}: ${settleMs / 1_000} s for MetalLB's BGP sessions, which it does not report\n`)
  const endMs = performance.now() + settleMs
  await waitFor({ ...walk, withinMs: withinMs + settleMs }, async () =>
    performance.now() < endMs ? `MetalLB's BGP sessions on ${node} come up` : '',
  )
}

/**
 * What MetalLB wrote for frr-k8s outlives its speaker: frr-k8s would keep the session, and a router
 * has one for an address. Asked again and again: a speaker that is ending writes it once more.
 * Where Berth leaves sessions to frr-k8s it goes on with the same object.
 */
async function endSessionsOfFrr(walk: Walk, node: string): Promise<void> {
  const at = { kind: 'DaemonSet', name: speakerName, namespace: walk.namespace } as const
  const speaker = await readOne(walk, at)
  if (speaker !== undefined && usesFrr(speaker)) return
  for (const one of await listed(walk, 'FRRConfiguration')) {
    const { name, namespace } = metaOf(one)
    if (name !== `metallb-${node}`) continue
    walk.io.err(`  frr-k8s ends the sessions of MetalLB on ${node}\n`)
    await remove(walk, { kind: 'FRRConfiguration', name, namespace })
  }
}

/** Names of peers in use that select the node, in order. */
async function peersOf(walk: Walk, name: string): Promise<readonly string[]> {
  const world = await liveWorld(walk)
  const labels = world.all('Node').get(name)?.labels ?? {}
  return bgpUse(world)
    .peers.filter(
      ({ nodeSelectors }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels),
    )
    .map((peer) => peer.name)
}
