// How is something done on a node without a client noticing? The node is drained first, and may
// announce again once it is done. Its annotation tells whoever comes next that this was begun.
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { drain, undrain } from '../../drain/drain.ts'
import { addressesKept, holdNow, oneOwnerEach, routedAsBefore } from './held.ts'
import { type NodeProgress, nodesFrom, underWayAnnotation } from './nodeProgress.ts'
import { change, listed, readOne, Stopped, type Walk } from './walk.ts'

const undrainAfter = 'undrain'
const leaveDrained = 'leave'

/**
 * With checks: no address changes, and in the end one node answers for each. Where one of them
 * stops the walk, the node counts as begun: the same command takes it again.
 */
export async function onDrained(
  walk: Walk,
  node: NodeProgress,
  work: () => Promise<void>,
): Promise<void> {
  const held = await holdNow(walk)
  await drainedFor(walk, node, work)
  await addressesKept(walk, held)
  await oneOwnerEach(walk, held)
  await routedAsBefore(walk, held)
  await annotated(walk, node.name, undefined)
}

/** Without checks, for what is done on several nodes before it can be right. */
export async function whileDrained(
  walk: Walk,
  node: NodeProgress,
  work: () => Promise<void>,
): Promise<void> {
  await drainedFor(walk, node, work)
  await annotated(walk, node.name, undefined)
}

async function drainedFor(
  walk: Walk,
  node: NodeProgress,
  work: () => Promise<void>,
): Promise<void> {
  const { name } = node
  await begin(walk, node)
  if (node.drained !== 'by-others' && (await hasOthers(walk, name))) await drainOrStop(walk, name)
  await work()
  await undrained(walk, name)
}

/** A node that was drained before the walk stays drained. */
async function begin(walk: Walk, { name, drained, isUnderWay }: NodeProgress): Promise<void> {
  if (isUnderWay) return
  await annotated(walk, name, drained === 'no' ? undrainAfter : leaveDrained)
}

async function undrained(walk: Walk, name: string): Promise<void> {
  const node = await readOne(walk, { kind: 'Node', name })
  const after = node === undefined ? '' : metaOf(node).annotations[underWayAnnotation]
  const [current] = node === undefined ? [] : nodesFrom([node], [])
  if (after === undrainAfter && current?.drained === 'by-berth') {
    await undrain(walk.api, name, quiet(walk))
  }
}

/** Where it is the only one, a drain would only make the gap longer. */
async function hasOthers(walk: Walk, name: string): Promise<boolean> {
  const pods = await listed(walk, 'Pod', walk.namespace)
  return nodesFrom(await listed(walk, 'Node'), pods).some(
    (node) =>
      node.name !== name &&
      node.drained === 'no' &&
      (node.metallb?.isReady === true || node.berth?.isReady === true),
  )
}

async function drainOrStop(walk: Walk, node: string): Promise<void> {
  const { api, namespace, withinMs } = walk
  const said: string[] = []
  const io = { ...walk.io, out: () => undefined, err: (text: string) => void said.push(text) }
  const exit = await drain(api, { node, withinMs, ownNamespace: namespace }, io)
  const text = said.join('').replace(/^berth: /, '')
  if (exit !== 0) throw new Stopped(text.trim())
  // As with the Local policy, where all endpoints are on this node.
  if (text !== '') walk.io.err(`  ${text}`)
}

const quiet = (walk: Walk) => ({ ...walk.io, out: () => undefined })

function annotated(walk: Walk, name: string, value: string | undefined): Promise<void> {
  return change(walk, { kind: 'Node', name }, (node) => {
    const metadata = new Fields(node['metadata'], [])
    const { [underWayAnnotation]: before, ...others } = metadata.labels('annotations')
    if (before === value) return undefined
    const annotations = value === undefined ? others : { ...others, [underWayAnnotation]: value }
    return { ...node, metadata: { ...metadata.json, annotations } }
  })
}
