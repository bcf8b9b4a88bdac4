// What does the API say of one kind? Watch steps become changes of the World; what cannot be read
// is inert, and a list that is read anew swaps the kind whole.
import { errorsText } from '../../../core/model/fieldError.ts'
import { type Kind, keyOf } from '../../../core/model/view.ts'
import { ApiError, Fault } from '../api/fault.ts'
import { isNotFound } from '../api/notFound.ts'
import type { WatchStep } from '../api/watch.ts'
import { type Decode, decode } from '../decode/decode.ts'
import { servedBy } from '../decode/decodePool.ts'
import { Fields } from '../decode/fields.ts'
import type { Sink } from './validatedSink.ts'
import type { FeedVersions } from './versions.ts'

type Feeding = {
  readonly kind: Kind
  /** Of another allocator, which need not be installed: what cannot be read is not known. */
  readonly isOptional: boolean
  /** What went with its definition is waited for; otherwise it is lost. */
  readonly isAwaited?: boolean
  readonly sink: Sink
  readonly versions: FeedVersions
  /** Of the table of kinds, unless another is given. */
  readonly decode?: Decode | undefined
}

export class Feed {
  readonly #feeding: Feeding
  readonly #decode: Decode
  #listing: Set<string> | undefined
  #isIn = false
  #fault: Fault | undefined
  #isLost = false
  #isServed = false
  #seen = ''
  /** What went with its definition and has not been made again. */
  #awaited = new Set<string>()

  constructor(feeding: Feeding) {
    this.#feeding = feeding
    this.#decode = feeding.decode ?? decode
  }

  /** Whether everything of this kind is known; while it is not, nothing may be decided (R3.13). */
  get isIn(): boolean {
    return this.#isIn
  }

  /** Why it is not, once that is known. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  /** Whether it was listed, and not refused since. */
  get isServed(): boolean {
    return this.#isServed
  }

  /** How far the watch has come, whoever wrote; what replies told us does not count. */
  get seen(): string {
    return this.#seen
  }

  get size(): number {
    const { sink, kind } = this.#feeding
    return sink.keys(kind).length
  }

  /** That the step has been dealt with. */
  saw(step: WatchStep): void {
    if (step.type === 'init-done') this.#seen = step.resourceVersion
    else if (step.type === 'apply' || step.type === 'delete') {
      this.#seen = new Fields(step.json, []).inner('metadata').text('resourceVersion')
    }
  }

  /** Whether it tells what a reply has told before: most events of one who writes do. */
  isEcho(step: WatchStep): boolean {
    if (step.type !== 'apply' || this.#listing !== undefined || this.#awaited.size > 0) return false
    const { kind, versions } = this.#feeding
    return versions.isEcho(kind, step.json)
  }

  /** Whether the step says that something we know is gone; what we deleted ourselves is none. */
  takesAway(step: WatchStep): boolean {
    const { sink, kind } = this.#feeding
    if (step.type === 'delete') return sink.has(kind, this.#keyOf(step.json))
    return step.type === 'init-done'
  }

  take(step: WatchStep): void {
    if (step.type === 'init') this.#begin()
    else if (step.type === 'init-done') this.#done(step.resourceVersion)
    else if (step.type === 'fault') this.#failed(step.fault)
    else if (step.type === 'delete') this.#drop(step.json)
    else this.#apply(step.json)
  }

  /** What was known stays, and nothing is decided from it until the kind has been listed anew. */
  freeze(fault: Fault): void {
    this.#fault = fault
    this.#isIn = false
    this.#listing = undefined
  }

  /**
   * Its definition is gone, and all objects with it. Made again it is empty at first, which says
   * nothing about those that we knew: they are waited for.
   */
  lose(fault: Fault): void {
    if (this.#feeding.isOptional) {
      this.#fault = fault
      this.#unserved()
      return
    }
    this.freeze(fault)
    this.#isLost = true
  }

  #begin(): void {
    const { kind, versions } = this.#feeding
    this.#listing = new Set()
    versions.listing(kind)
  }

  #apply(json: unknown): void {
    const { sink, kind, versions } = this.#feeding
    const decoded = this.#decode(json)
    if (decoded.kind === 'view') {
      const { view } = decoded
      this.#listing?.add(keyOf(view))
      if (versions.isNews(view, json)) sink.put(view)
      if (this.#awaited.delete(keyOf(view)) && this.#awaited.size === 0) this.#settle()
      return
    }
    const key = this.#keyOf(json)
    this.#listing?.add(key)
    const errors = decoded.kind === 'refused' ? decoded.errors : []
    const why = errorsText(errors)
    const serves = kind === 'IPAddressPool' ? servedBy(new Fields(json, [])) : []
    sink.refuse({ kind, key, why, serves })
  }

  #drop(json: unknown): void {
    const { sink, kind, versions } = this.#feeding
    const key = this.#keyOf(json)
    if (versions.isOldDeletion(kind, key, json)) return
    versions.deleted(kind, key, json)
    sink.drop(kind, key)
  }

  /** Also of what cannot be decoded. */
  #keyOf(json: unknown): string {
    const { sink, kind } = this.#feeding
    const decoded = this.#decode(json)
    if (decoded.kind === 'view') return keyOf(decoded.view)
    const metadata = new Fields(json, []).inner('metadata')
    const [namespace, name] = [metadata.text('namespace'), metadata.text('name')]
    return sink.has(kind, `${namespace}/${name}`) ? `${namespace}/${name}` : name
  }

  #done(resourceVersion: string): void {
    const { sink, kind, versions, isAwaited = false } = this.#feeding
    const written = versions.listed(kind, resourceVersion)
    const listed = this.#listing ?? new Set<string>()
    const missing = sink.keys(kind).filter((key) => !listed.has(key) && !written.has(key))
    this.#listing = undefined
    this.#isServed = true
    sink.serve?.(kind, true)
    this.#awaited = new Set(this.#isLost && isAwaited ? missing : [])
    for (const key of missing.filter((one) => !this.#awaited.has(one))) {
      // What was made after the list comes as an event, and is news then.
      versions.forget(kind, key)
      // A list does not tell whether somebody deleted it, or a backup never had it.
      sink.lose(kind, key)
    }
    if (this.#awaited.size === 0) {
      this.#settle()
      return
    }
    const names = [...this.#awaited].sort().join(', ')
    this.freeze(new Fault(`deleted together with their definition, and not back yet: ${names}`))
  }

  #settle(): void {
    this.#isLost = false
    this.#isIn = true
    this.#fault = undefined
  }

  /** A kind that is not served, or not for us: unknown where that is allowed, else we freeze. */
  #failed(fault: Fault): void {
    const isRefused = fault instanceof ApiError && [401, 403, 404, 405].includes(fault.code)
    this.#fault = fault
    if (!isRefused) return
    this.#isServed = false
    if (this.#feeding.isOptional) this.#unserved()
    else if (isNotFound(fault)) this.lose(fault)
    else this.freeze(fault)
  }

  /** What was known of it stays, and nothing else waits for it. */
  #unserved(): void {
    const { sink, kind } = this.#feeding
    this.#listing = undefined
    this.#isServed = false
    this.#isIn = true
    sink.serve?.(kind, false)
  }
}
