// In which state is a Pod, in one word? As in Kubernetes' printPod.
import type { Fields } from '../../kube/decode/fields.ts'

type PodState = {
  readonly ready: number
  readonly total: number
  readonly word: string
  readonly restarts: Restarts
}
export type Restarts = {
  readonly count: number
  /** The time of the last one; empty if unknown. */
  readonly last: string
}

export function podState(pod: Fields): PodState {
  const status = pod.inner('status')
  const start = startOf(pod)
  const word = start.word ?? wordOf(status)
  const total = pod.inner('spec').each('containers').length + start.sidecars
  if (start.word !== undefined && !isTrue(status, 'Initialized')) {
    return { ready: start.ready, total, word: leavingWord(pod, word), restarts: start.restarts }
  }
  const containers = status.each('containerStatuses')
  return {
    ready: start.ready + containers.filter(isRunning).length,
    total,
    word: leavingWord(pod, runningWord(status, word)),
    restarts: restartsOf([...start.lasting, ...containers]),
  }
}

/** The first condition of a type is used. */
export function isTrue(status: Fields, type: string): boolean {
  const condition = status.each('conditions').find((one) => one.text('type') === type)
  return condition?.text('status') === 'True'
}

function wordOf(status: Fields): string {
  const isGated = status
    .each('conditions')
    .some((one) => one.text('type') === 'PodScheduled' && one.text('reason') === gated)
  return isGated ? gated : status.text('reason') || status.text('phase')
}
const gated = 'SchedulingGated'

function leavingWord(pod: Fields, word: string): string {
  const status = pod.inner('status')
  if (!pod.inner('metadata').has('deletionTimestamp')) return word
  if (status.text('reason') === 'NodeLost') return 'Unknown'
  return ['Succeeded', 'Failed'].includes(status.text('phase')) ? word : 'Terminating'
}

type Start = {
  /** Undefined once the Pod has started. */
  readonly word: string | undefined
  readonly sidecars: number
  readonly ready: number
  readonly restarts: Restarts
  /** Sidecars start before the other containers and keep running. */
  readonly lasting: readonly Fields[]
}

/** Init containers run one after another; those after the first unfinished one wait. */
function startOf(pod: Fields): Start {
  const planned = pod.inner('spec').each('initContainers')
  const sidecars = planned.filter((container) => container.text('restartPolicy') === 'Always')
  const names = new Set(sidecars.map((container) => container.text('name')))
  const isSidecar = (container: Fields): boolean => names.has(container.text('name'))
  const isUp = (container: Fields): boolean =>
    !hasSucceeded(container) && isSidecar(container) && container.flag('started') === true
  const all = pod.inner('status').each('initContainerStatuses')
  const at = all.findIndex((container) => !hasSucceeded(container) && !isUp(container))
  const [seen, unfinished] = [at < 0 ? all : all.slice(0, at + 1), all[at]]
  return {
    word: unfinished && startingWord(unfinished, `${at}/${planned.length}`),
    sidecars: sidecars.length,
    ready: seen.filter((container) => isUp(container) && container.flag('ready') === true).length,
    restarts: restartsOf(seen),
    lasting: seen.filter(isSidecar),
  }
}

function startingWord(container: Fields, progress: string): string {
  const [terminated, waiting] = [endOf(container), waitsFor(container)]
  if (terminated !== undefined) return `Init:${endWord(terminated)}`
  return `Init:${waiting === '' || waiting === 'PodInitializing' ? progress : waiting}`
}

/** The reason of the first container that has one. */
function runningWord(status: Fields, before: string): string {
  const containers = status.each('containerStatuses')
  const ended = containers.filter((one) => waitsFor(one) === '' && endOf(one) !== undefined)
  const failed = ended.map(endOf).find((end) => end !== undefined && exitOf(end) !== 0)
  const word = containers.map(containerWord).find((one) => one !== undefined) ?? before
  if (word !== 'Completed') return word
  const hasRunning = containers.some(isRunning)
  if (hasRunning && isTrue(status, 'Ready')) return 'Running'
  if (failed !== undefined) return endWord(failed)
  return hasRunning ? 'NotReady' : word
}

function containerWord(container: Fields): string | undefined {
  const end = endOf(container)
  return waitsFor(container) || (end && endWord(end))
}

const waitsFor = (container: Fields): string =>
  container.inner('state').inner('waiting').text('reason')

function endOf(container: Fields): Fields | undefined {
  const state = container.inner('state')
  return state.has('terminated') ? state.inner('terminated') : undefined
}

function endWord(end: Fields): string {
  const signal = end.number('signal') ?? 0
  const how = signal === 0 ? `ExitCode:${exitOf(end)}` : `Signal:${signal}`
  return end.text('reason') || how
}

const exitOf = (end: Fields): number => end.number('exitCode') ?? 0

function hasSucceeded(container: Fields): boolean {
  const end = endOf(container)
  return end !== undefined && exitOf(end) === 0
}

const isRunning = (container: Fields): boolean =>
  containerWord(container) === undefined &&
  container.flag('ready') === true &&
  container.inner('state').has('running')

function restartsOf(containers: readonly Fields[]): Restarts {
  const lasts = containers.map((one) =>
    one.inner('lastState').inner('terminated').text('finishedAt'),
  )
  return {
    count: containers.reduce((sum, one) => sum + (one.number('restartCount') ?? 0), 0),
    last: lasts.sort().at(-1) ?? '',
  }
}
