// Which objects of a kind exist, and how do they change? A loop that ends only when aborted.
import { Fields, isRecord } from '../decode/fields.ts'
import { errorOfStatus, parse } from './answer.ts'
import { backoffMs } from './backoff.ts'
import type { Api } from './client.ts'
import type { Clock } from './clock.ts'
import { ApiError, Fault, faultFrom, Silence } from './fault.ts'
import { listPages } from './listPages.ts'
import { pathOf, type Resource } from './resource.ts'

export type WatchStep =
  /** A new list begins: known objects that do not appear before init-done are gone. */
  | { readonly type: 'init' }
  | { readonly type: 'init-apply' | 'apply' | 'delete'; readonly json: unknown }
  /** The list is complete as of that resourceVersion. */
  | { readonly type: 'init-done'; readonly resourceVersion: string }
  /** Known objects stay; an unfinished list starts over. */
  | { readonly type: 'fault'; readonly fault: Fault; readonly retryInMs: number }

type WatchOptions = {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: () => number
  /**
   * Twice the interval between bookmarks, which an API server sends every minute. If nothing
   * changes there are none; then this is how often the watch is restarted from where it was.
   */
  readonly silenceMs?: number
}

/** A watch that ends sooner counts as a failure, so that a sick server is not hammered. */
const shortMs = 1000
/** After this long without a failure, the backoff starts over. */
const calmMs = 15_000

export async function* watch(
  api: Api,
  resource: Resource,
  options: WatchOptions,
): AsyncGenerator<WatchStep> {
  const { signal, clock, random } = options
  const position: Position = { resourceVersion: '', sinceMs: 0 }
  let failures = 0
  while (!signal.aborted) {
    position.sinceMs = Number.POSITIVE_INFINITY
    let fault: Fault | undefined
    try {
      if (position.resourceVersion === '') yield* list(api, resource, { signal, position })
      yield* follow(api, resource, { ...options, position })
    } catch (error) {
      if (!(error instanceof Silence)) fault = faultFrom(error, pathOf(resource))
    }
    if (signal.aborted) return
    const lastedMs = clock.nowMs() - position.sinceMs
    if (lastedMs >= (fault ? calmMs : shortMs)) failures = 0
    if (fault === undefined && lastedMs >= shortMs) continue
    fault ??= new Fault(`watch ${pathOf(resource)}: ended at once`)
    if (isOutdated(fault)) position.resourceVersion = ''
    const askedMs = fault instanceof ApiError ? fault.retryAfterMs : undefined
    const retryInMs = backoffMs(failures++, random, askedMs)
    yield { type: 'fault', fault, retryInMs }
    await clock.sleep(retryInMs, signal)
  }
}

/** Where the watch is, and since when it has followed from there. */
type Position = { resourceVersion: string; sinceMs: number }

/** 410: the server no longer has that version. 404: a new collection may take its place. */
const isOutdated = (fault: Fault): boolean =>
  fault instanceof ApiError && (fault.code === 410 || fault.code === 404)

type Listing = { readonly signal: AbortSignal; readonly position: Position }

async function* list(
  api: Api,
  resource: Resource,
  { signal, position }: Listing,
): AsyncGenerator<WatchStep> {
  let version = ''
  // Before the request: objects written from now on may be missing in the answer.
  yield { type: 'init' }
  for await (const { items, resourceVersion } of listPages(api, resource, signal)) {
    version = resourceVersion
    for (const json of items) yield { type: 'init-apply', json }
  }
  position.resourceVersion = version
  yield { type: 'init-done', resourceVersion: version }
}

const bookmarkMs = 60_000

async function* follow(
  api: Api,
  resource: Resource,
  following: WatchOptions & Listing,
): AsyncGenerator<WatchStep> {
  const { signal, clock, random, position, silenceMs = 2 * bookmarkMs } = following
  const path = pathOf(resource)
  const query = {
    ...resource.selector,
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: position.resourceVersion,
    // Randomized, so that the watches of a cluster spread over its API servers.
    timeoutSeconds: String(300 + Math.floor(300 * random())),
  }
  position.sinceMs = clock.nowMs()
  const lines = api.stream({ method: 'GET', path, query, signal, timeoutMs: silenceMs })
  for await (const line of lines) {
    const { step, resourceVersion } = readEvent(parse(line, path), path)
    position.resourceVersion = resourceVersion
    if (step) yield step
  }
}

const steps = { ADDED: 'apply', MODIFIED: 'apply', DELETED: 'delete', BOOKMARK: undefined } as const
const isKnown = (type: string): type is keyof typeof steps => Object.hasOwn(steps, type)

type Event = { readonly step: WatchStep | undefined; readonly resourceVersion: string }

function readEvent(event: unknown, path: string): Event {
  const fields = new Fields(event, [])
  const type = fields.text('type')
  const json = isRecord(event) ? event['object'] : undefined
  if (type === 'ERROR') throw errorOfStatus(json, `watch ${path}`)
  const resourceVersion = fields.inner('object').inner('metadata').text('resourceVersion')
  if (!isKnown(type) || resourceVersion === '') {
    throw new Fault(`watch ${path}: malformed event of type ${JSON.stringify(type)}`)
  }
  const means = steps[type]
  return { step: means && { type: means, json }, resourceVersion }
}
