// How does a leader in a history hear and speak? Its watches are late, its requests arrive some time
// and are answered some time later, or get lost. Each of these is a step, and the test picks the next.
import type { Kind } from '../../src/core/model/view.ts'
import type { Api, ApiRequest } from '../../src/edge/kube/api/client.ts'
import { Fault } from '../../src/edge/kube/api/fault.ts'
import { Feed } from '../../src/edge/kube/feed/feed.ts'
import type { Sink } from '../../src/edge/kube/feed/validatedSink.ts'
import { Versions } from '../../src/edge/kube/feed/versions.ts'
import { pick } from '../kube/seeded.ts'
import { metaOf, type TinyApi } from './tinyApi.ts'

export type Step = { readonly title: string; readonly run: () => void }

type ClientParts = {
  readonly api: TinyApi
  readonly name: string
  readonly random: () => number
  /** After each event. */
  readonly heard: () => void
}

export class LateClient {
  readonly versions = new Versions()
  readonly calls: Api
  /** Requests of these titles never reach the API. */
  cut: RegExp | undefined
  /** Of 10 requests, how many get no answer: they do not arrive, or it is lost. */
  lost = 0
  readonly #parts: ClientParts
  readonly #feeds = new Map<string, Feed>()
  readonly #cursors = new Map<string, number>()
  readonly #waiting = new Set<Step>()
  /** Of requests that may yet arrive: also when whoever sent them is dead. */
  readonly #sent = new Set<Step>()
  #isDead = false

  constructor(parts: ClientParts) {
    this.#parts = parts
    const call = (request: ApiRequest) => this.#call(request)
    this.calls = { call } as Pick<Api, 'call'> as Api
  }

  get isDead(): boolean {
    return this.#isDead
  }

  readonly sleep = (): Promise<void> => new Promise((wake) => this.#later('wakes', wake))

  /** Lists the kind now; what happens from then on is heard late. */
  follow(kind: Kind, sink: Sink): void {
    const { api } = this.#parts
    const feed = new Feed({ kind, isOptional: false, sink, versions: this.versions })
    this.#feeds.set(kind, feed)
    this.#cursors.set(kind, api.told.get(kind)?.length ?? 0)
    feed.take({ type: 'init' })
    for (const json of api.all(kind)) feed.take({ type: 'apply', json })
    feed.take({ type: 'init-done', resourceVersion: '0' })
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
    const { api, name, heard } = this.#parts
    const cursor = this.#cursors.get(kind) ?? 0
    const told = api.told.get(kind)?.[cursor]
    if (told === undefined) return []
    const run = () => {
      this.#cursors.set(kind, cursor + 1)
      if (!feed.isEcho(told)) feed.take(told)
      heard()
    }
    return [{ title: `${name} sees ${told.type} ${kind} ${metaOf(told.json).name}`, run }]
  }

  #later(title: string, then: () => void, steps = this.#waiting): void {
    const step = {
      title: `${this.#parts.name} ${title}`,
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
    const { api, random } = this.#parts
    const isLost = this.lost > 0 && pick(random, 10) < this.lost
    const isCut = this.cut?.test(title) === true || (isLost && pick(random, 2) === 0)
    const json = isCut ? undefined : api.serve(request)
    if (isCut || isLost) throw new Fault('no answer')
    return json
  }
}

const titles: Readonly<Record<string, string>> = {
  services: 'Service',
  addresses: 'Address',
  ipsets: 'IPSet',
  reservations: 'Reservation',
  addressblocks: 'AddressBlock',
}

function titleOf({ method, path, body = {} }: ApiRequest): string {
  const pattern = new RegExp(`/(${Object.keys(titles).join('|')})(?:/([^/]+))?`)
  const [, plural = '', inPath] = pattern.exec(path) ?? []
  const { metadata: { name } = {} } = body as { metadata?: { name?: string } }
  return `${method} ${titles[plural]} ${inPath ?? name} ${JSON.stringify(body)}`
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
