// What can happen between any two steps of a claim? Leaders that decide and write, each with watches
// that are late, over one API; chance picks the next step, and a leader may end at any of them.
import { Records } from '../../src/app/controller/records.ts'
import { ServiceWorker } from '../../src/app/controller/serviceWorker.ts'
import type { Kind } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { check } from '../../src/core/policy/check/check.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import type { Api, ApiRequest } from '../../src/edge/kube/api/client.ts'
import { Fault } from '../../src/edge/kube/api/fault.ts'
import { Feed } from '../../src/edge/kube/feed/feed.ts'
import { plainSink, ValidatedSink } from '../../src/edge/kube/feed/validatedSink.ts'
import { Versions } from '../../src/edge/kube/feed/versions.ts'
import { WritePace } from '../../src/edge/kube/write/writePace.ts'
import { pick } from '../kube/seeded.ts'
import type { TinyApi } from './tinyApi.ts'

export type Step = { readonly title: string; readonly run: () => void }

const kinds = [
  'IPAddressPool',
  'ReleasedPool',
  'Service',
  'Address',
] as const satisfies readonly Kind[]

export class Leader {
  readonly world = new World(settings)
  readonly worker: ServiceWorker
  /** False past the renew deadline. */
  isLeading = true
  /** Requests of these titles never reach the API. */
  cut: RegExp | undefined
  /** Of 10 requests, how many get no answer: they do not arrive, or it is lost. */
  lost = 0
  /** The reasons of the events that it told. */
  readonly said: string[] = []
  readonly #api: TinyApi
  readonly #feeds = new Map<string, Feed>()
  readonly #cursors = new Map<string, number>()
  readonly #waiting = new Set<Step>()
  /** Of requests that may yet arrive: also when whoever sent them is dead. */
  readonly #sent = new Set<Step>()
  readonly #name: string
  readonly #random: () => number
  #isDead = false

  constructor(api: TinyApi, name: string, random: () => number) {
    this.#api = api
    this.#name = name
    this.#random = random
    const { world } = this
    const versions = new Versions()
    const validated = new ValidatedSink(world, check)
    const mayWrite = () => this.isLeading && !this.#isDead
    const sleep = () => new Promise<void>((wake) => this.#later('wakes', wake))
    let seconds = 0
    const timestamp = () => new Date(Date.UTC(2026, 5, 1) + ++seconds * 1000).toISOString()
    const call = (request: ApiRequest) => this.#call(request)
    const calls = { call } as Pick<Api, 'call'> as Api
    this.worker = new ServiceWorker({
      world,
      records: new Records({ api: calls, world, versions, mayWrite, timestamp, sleep }),
      pace: new WritePace(random),
      mayWrite,
      signal: new AbortController().signal,
      sleep,
      say: ({ events }) => this.said.push(...events.map(({ reason }) => reason)),
      decided: () => undefined,
      failed: (object, error) => {
        if (error.name === 'Bug') throw new Error(`${object}: ${error.message}`)
      },
    })
    for (const kind of kinds) {
      const isPlain = kind === 'Service' || kind === 'ReleasedPool'
      const sink = isPlain ? plainSink(world) : validated
      const feed = new Feed({ kind, isOptional: false, sink, versions })
      this.#feeds.set(kind, feed)
      this.#cursors.set(kind, api.told.get(kind)?.length ?? 0)
      feed.take({ type: 'init' })
      for (const json of api.all(kind)) feed.take({ type: 'apply', json })
      feed.take({ type: 'init-done', resourceVersion: '0' })
    }
    validated.open()
    world.apply({ type: 'adoption', isOver: world.hasRecords() })
    this.worker.pump()
  }

  kill(): void {
    this.#isDead = true
    this.#waiting.clear()
  }

  /** What may happen next. */
  get steps(): Step[] {
    const news = this.#isDead
      ? []
      : [...this.#feeds].flatMap(([kind, feed]) => this.#news(kind, feed))
    return [...this.#sent, ...this.#waiting, ...news]
  }

  #news(kind: string, feed: Feed): Step[] {
    const cursor = this.#cursors.get(kind) ?? 0
    const told = this.#api.told.get(kind)?.[cursor]
    if (told === undefined) return []
    const run = () => {
      this.#cursors.set(kind, cursor + 1)
      if (!feed.isEcho(told)) feed.take(told)
      this.worker.pump()
    }
    return [{ title: `${this.#name} sees ${told.type} ${kind}`, run }]
  }

  #later(title: string, then: () => void, steps = this.#waiting): void {
    const step = {
      title: `${this.#name} ${title}`,
      run() {
        steps.delete(step)
        then()
      },
    }
    steps.add(step)
  }

  /** It arrives some time, and is answered some time later. */
  #call(request: ApiRequest): Promise<unknown> {
    const title = titleOf(request)
    return new Promise((resolve, reject) => {
      const arrive = () => {
        const answer = answerOf(() => this.#answer(request, title))
        if (!this.#isDead)
          this.#later(`hears ${answer.title} of ${title}`, () => answer.give(resolve, reject))
      }
      this.#later(title, arrive, this.#sent)
    })
  }

  #answer(request: ApiRequest, title: string): unknown {
    const isLost = this.lost > 0 && pick(this.#random, 10) < this.lost
    const isCut = this.cut?.test(title) === true || (isLost && pick(this.#random, 2) === 0)
    const json = isCut ? undefined : this.#api.serve(request)
    if (isCut || isLost) throw new Fault('no answer')
    return json
  }
}

function titleOf({ method, path, body = {} }: ApiRequest): string {
  const [, plural = '', inPath] = /(addresses|services)(?:\/([^/]+))?/.exec(path) ?? []
  const { metadata: { name } = {} } = body as { metadata?: { name?: string } }
  const kind = plural === 'services' ? 'Service' : 'Address'
  return `${method} ${kind} ${inPath ?? name} ${JSON.stringify(body)}`
}

type Answer = {
  readonly title: string
  readonly give: (resolve: (json: unknown) => void, reject: (fault: Fault) => void) => void
}

function answerOf(serve: () => unknown): Answer {
  try {
    const json = serve()
    return { title: 'yes', give: (resolve) => resolve(json) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { title: 'no', give: (_, reject) => reject(error) }
  }
}

/** Takes one of the steps, and lets everybody think until they wait for the next. */
export async function takeOne(
  steps: readonly Step[],
  random: () => number,
): Promise<Step | undefined> {
  const step = steps[pick(random, steps.length)]
  step?.run()
  await new Promise((settled) => setImmediate(settled))
  return step
}
