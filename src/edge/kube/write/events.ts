// How are people told? As Kubernetes events, behind everything else: a few at a time, the oldest
// dropped when there are too many, and none worth more than a few tries.
import { createHash } from 'node:crypto'
import type { Api } from '../api/client.ts'
import { ApiError } from '../api/fault.ts'
import { pathOf } from '../api/resource.ts'
import { resourceOf } from '../kinds.ts'

const events = resourceOf('Event')
const [atOnce, kept] = [8, 20_000]
/** While there is more to write than may be under way they wait, and then trickle. */
const [roundMs, patientRounds] = [100, 100]

/** The object that something happened to. */
export type About = {
  readonly kind: string
  /** Of the core group where it is not said. */
  readonly apiVersion?: string
  /** Empty for an object that is in none. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
}

/** What happened to it, as Kubernetes shows it. */
export type EventText = {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

type EventParts = {
  readonly api: Api
  /** Who tells it, under MetalLB's names. */
  readonly component: 'metallb-controller' | 'metallb-speaker'
  /** Of those that run at the same time. */
  readonly instance: string
  readonly timestamp: () => string
  readonly mayWrite: () => boolean
  /** Whether more writes are due than may be in flight. */
  readonly isBusy: () => boolean
  readonly sleep: (ms: number) => Promise<void>
}

/** What is kept of an event until it is sent, since there may be one for each Service. */
type Told = {
  readonly about: About
  readonly said: EventText
  readonly number: number
  readonly at: string
}

export class Events {
  readonly #parts: EventParts
  readonly #waiting: Told[] = []
  readonly #teller: Teller
  #sending = 0
  #made = 0
  #isHeldBack = false

  constructor(parts: EventParts) {
    const { component, instance } = parts
    this.#parts = parts
    this.#teller = { component, instance, digest: digestOf(instance) }
  }

  get isQuiet(): boolean {
    return this.#sending + this.#waiting.length === 0
  }

  say(about: About, all: readonly EventText[]): void {
    const { timestamp } = this.#parts
    const [last, now] = [this.#waiting.at(-1)?.at, timestamp()]
    // One text for a second, however many they are.
    const at = last === now ? last : now
    for (const said of all) this.#waiting.push({ about, said, number: this.#made++, at })
    if (this.#waiting.length > kept) this.#waiting.splice(0, this.#waiting.length - kept)
    this.pump()
  }

  /** Sends what waits, as far as it is ours to write. */
  pump(): void {
    const { mayWrite, isBusy } = this.#parts
    if (this.#isHeldBack) return
    while (this.#sending < atOnce && this.#waiting.length > 0 && mayWrite()) {
      if (isBusy()) return void this.#holdBack()
      void this.#next().then(() => this.pump())
    }
  }

  /** Not for good: a flood may never end, and somebody waits for the events behind it. */
  async #holdBack(): Promise<void> {
    const { mayWrite, isBusy, sleep } = this.#parts
    this.#isHeldBack = true
    for (let round = 0; isBusy() && mayWrite() && this.#waiting.length > 0; round++) {
      if (round >= patientRounds) await this.#next()
      await sleep(roundMs)
    }
    this.#isHeldBack = false
    this.pump()
  }

  async #next(): Promise<void> {
    const told = this.#waiting.shift()
    if (told === undefined) return
    this.#sending++
    await this.#post(told)
    this.#sending--
  }

  /** Tried a few times where the server is in trouble; a refusal is final. */
  async #post(told: Told): Promise<void> {
    const { api, mayWrite, sleep } = this.#parts
    const path = pathOf({ ...events, namespace: placeOf(told.about) })
    const body = bodyOf(told, this.#teller)
    for (let tries = 1; mayWrite(); tries++) {
      try {
        await api.call({ method: 'POST', path, body, answer: 'none' })
        return
      } catch (error) {
        const isFinal = error instanceof ApiError && error.code < 500 && error.code !== 429
        if (isFinal || tries === 3) return
        await sleep(tries * 1_000)
      }
    }
  }
}

type Teller = Pick<EventParts, 'component' | 'instance'> & { readonly digest: string }

function bodyOf({ about, said, number, at }: Told, teller: Teller): object {
  const { component, instance, digest } = teller
  const { apiVersion = 'v1', kind, namespace: of, name, uid, resourceVersion } = about
  const namespace = placeOf(about)
  const place = of === '' ? {} : { namespace }
  const { type, reason, message } = said
  const second = at.replace(/\W/g, '').toLowerCase()
  const unique = `${number.toString(36)}${uid.slice(-6)}.${second}${digest}`
  return {
    metadata: { namespace, name: `${name}.${unique}` },
    involvedObject: { apiVersion, kind, ...place, name, uid, resourceVersion },
    type,
    reason,
    message: message.slice(0, 1024),
    source: { component },
    reportingComponent: component,
    reportingInstance: instance,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  }
}

/** Those about objects without a namespace are kept where kubectl looks for them. */
const placeOf = ({ namespace }: About): string => (namespace === '' ? 'default' : namespace)

/** A few letters that tell apart who speaks about the same Service in the same second. */
const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 6)
