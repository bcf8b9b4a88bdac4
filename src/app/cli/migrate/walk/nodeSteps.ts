// How does a node change over to Berth, or back to MetalLB? Drained; its label decides which of the
// two speakers stays.
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import type { Workload } from '../metallb.ts'
import { onDrained, whileDrained } from './drained.ts'
import { addressesKept, holdNow, oneOwnerEach, routedAsBefore } from './held.ts'
import { isOutdated } from './heldSpeakers.ts'
import { announcerLabel, announcerValue, type NodeProgress, nodesFrom } from './nodeProgress.ts'
import { sessionsAreUp, sessionsSettle } from './sessions.ts'
import { change, listed, remove, type Walk, waitFor } from './walk.ts'

export async function toBerth(walk: Walk, node: NodeProgress): Promise<void> {
  // Before the drain: without one, nobody would announce from the node until somebody looks.
  await waitOn(walk, node.name, ({ berth }) => berthMissing(node.name, berth))
  await onDrained(walk, node, async () => {
    await labelled(walk, node.name, announcerValue)
    await waitOn(walk, node.name, ({ metallb }) =>
      metallb === undefined ? '' : `MetalLB's speaker ${metallb.name} still runs on ${node.name}`,
    )
    await waitOn(walk, node.name, ({ berth }) => {
      if (berth === undefined || berth.isReady) return berthMissing(node.name, berth)
      return `Berth's speaker ${berth.name} on ${node.name} is not ready`
    })
    await sessionsAreUp(walk, node.name)
  })
}

export const toMetallb = (walk: Walk, node: NodeProgress): Promise<void> =>
  onDrained(walk, node, async () => {
    await labelled(walk, node.name, undefined)
    await waitOn(walk, node.name, ({ metallb }) => metallbMissing(node.name, metallb))
    await sessionsSettle(walk, node.name)
  })

/**
 * Puts what the DaemonSet says now on each node, one after the other. Speakers with memberlist and
 * speakers without it do not elect alike: who answers is looked at once all are the same. By BGP,
 * the next node has to wait until this one announces again.
 */
export async function rollMetallb(walk: Walk, speaker: Workload): Promise<void> {
  const held = await holdNow(walk)
  for (const node of await nodesNow(walk)) {
    const { metallb } = node
    // Its pod is about to go, whatever it is like.
    if (node.isBerths) continue
    const isOld = metallb !== undefined && isOutdated(metallb.object, speaker)
    if (!isOld && !(node.isUnderWay && metallb !== undefined)) continue
    walk.io.err(`  ${node.name}: MetalLB's speaker is replaced\n`)
    await whileDrained(walk, node, async () => {
      if (isOld) await replaced(walk, node.name, metallb)
      await waitOn(walk, node.name, (now) => metallbMissing(node.name, now.metallb))
      await sessionsSettle(walk, node.name)
    })
    await routedAsBefore(walk, held)
  }
  await addressesKept(walk, held)
  await oneOwnerEach(walk, held)
}

/** Deletes the pod and waits until another one is there. */
export async function replaced(
  walk: Walk,
  node: string,
  { name, uid }: { readonly name: string; readonly uid: string },
): Promise<void> {
  const { namespace } = walk
  await remove(walk, { kind: 'Pod', name, namespace })
  await waitFor(walk, async () => {
    const pods = await listed(walk, 'Pod', namespace)
    const isThere = pods.some((pod) => pod.inner('metadata').text('uid') === uid)
    return isThere ? `the pod ${name} on ${node} does not end` : ''
  })
}

const berthMissing = (node: string, pod: NodeProgress['berth']): string =>
  pod === undefined ? `Berth has no speaker on ${node}` : ''

const metallbMissing = (node: string, pod: NodeProgress['metallb']): string => {
  if (pod === undefined) return `MetalLB has no speaker on ${node}`
  return pod.isReady ? '' : `MetalLB's speaker ${pod.name} on ${node} is not ready`
}

export const nodesNow = async (walk: Walk): Promise<NodeProgress[]> =>
  nodesFrom(await listed(walk, 'Node'), await listed(walk, 'Pod', walk.namespace))

export const waitOn = (
  walk: Walk,
  name: string,
  missing: (node: NodeProgress) => string,
): Promise<void> =>
  waitFor(walk, async () => {
    const node = (await nodesNow(walk)).find((one) => one.name === name)
    return node === undefined ? `the node ${name} is gone` : missing(node)
  })

export function labelled(walk: Walk, name: string, value: string | undefined): Promise<void> {
  return change(walk, { kind: 'Node', name }, (node) => {
    const metadata = new Fields(node['metadata'], [])
    const { [announcerLabel]: before, ...others } = metadata.labels('labels')
    if (before === value) return undefined
    const labels = value === undefined ? others : { ...others, [announcerLabel]: value }
    return { ...node, metadata: { ...metadata.json, labels } }
  })
}
