// What keeps a pod of a DNS server from answering? As its containers and the scheduler say it.
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export type ServerPod = {
  readonly name: string
  readonly namespace: string
  /** Labels that tell which server it is of. */
  readonly labels: Readonly<Record<string, string>>
  /** In their own words; empty if nothing does, or it is about to. */
  readonly trouble: string
}

export function decodeServerPod(object: Fields): ServerPod {
  const { name, namespace, labels } = metaOf(object)
  const isGoing = object.inner('metadata').has('deletionTimestamp')
  return { name, namespace, labels, trouble: isGoing ? '' : troubleIn(object.inner('status')) }
}

function troubleIn(status: Fields): string {
  const unplaced = status
    .each('conditions')
    .find((one) => one.text('type') === 'PodScheduled' && one.text('status') === 'False')
  const said = [
    unplaced?.text('message') ?? '',
    ...status.each('initContainerStatuses').map(troubleAtStart),
    ...status.each('containerStatuses').map(troubleOf),
  ]
  return said.find((one) => one !== '') ?? ''
}

/** One that has failed and is tried again has failed until it succeeds. */
function troubleAtStart(container: Fields): string {
  const ended = container.inner('state').inner('terminated')
  const isDone = ended.has('exitCode') && ended.number('exitCode') === 0
  return isDone ? '' : waitsFor(container) || failureOf(container)
}

const troubleOf = (container: Fields): string =>
  container.inner('state').has('running') ? '' : waitsFor(container) || failureOf(container)

/** What comes by itself is no trouble, and what is tried again says why below. */
const usual = ['', 'PodInitializing', 'ContainerCreating', 'CrashLoopBackOff']

function waitsFor(container: Fields): string {
  const waiting = container.inner('state').inner('waiting')
  const [reason, message] = [waiting.text('reason'), waiting.text('message')]
  if (usual.includes(reason)) return ''
  return `${container.text('name')}: ${reason}${message === '' ? '' : `: ${message}`}`
}

function failureOf(container: Fields): string {
  const [now, last] = ['state', 'lastState'].map((one) => container.inner(one).inner('terminated'))
  const ended = now?.has('exitCode') ? now : last
  const code = ended?.number('exitCode') ?? 0
  if (ended === undefined || code === 0) return ''
  const lines = ended.text('message').trim().split('\n')
  const said = lines.at(-1) || `ended with status ${code}`
  return `${container.text('name')}: ${said}`
}
