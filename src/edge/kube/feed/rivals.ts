// Does MetalLB do here what we do? While it does we leave it alone: neither sees what the other
// decides, and both would act on the same Services.
import type { Api } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
import { ApiError, type Fault } from '../api/fault.ts'
import type { Resource } from '../api/resource.ts'
import { type WatchStep, watch } from '../api/watch.ts'
import { metaOf } from '../decode/decodeMeta.ts'
import { Fields } from '../decode/fields.ts'

export type RivalParts = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Called when it begins or ends. */
  readonly changed: () => void
}

type RivalPlace = {
  readonly workloads: Resource
  /** Whether what is up there matters now; always, if it is left out. */
  readonly counts?: () => boolean
}

type Rival = {
  /** Of MetalLB, such as its controller. */
  readonly part: string
  /** Where it would be. */
  readonly places: readonly RivalPlace[]
  readonly isUp: (workload: Fields) => boolean
  /** What we wait for while these are up, as namespace/name, in order. */
  readonly waitsFor: (names: readonly string[]) => string
}

export class Rivals {
  readonly #parts: RivalParts
  readonly #rival: Rival
  readonly #watched: readonly Watched[]
  #said: string | undefined
  #wasAlone = false

  constructor(parts: RivalParts, rival: Rival) {
    this.#parts = parts
    this.#rival = rival
    this.#watched = rival.places.map((place) => new Watched(parts, rival, place))
  }

  /** Nobody else is up, as far as we may know; false until we have looked everywhere. */
  get isAlone(): boolean {
    return this.#counted().every(({ hasLooked, up }) => hasLooked && up.size === 0)
  }

  /** Whom we wait for, in words; undefined when nobody is up. */
  get waitsFor(): string | undefined {
    const up = new Set(this.#counted().flatMap((one) => [...one.up]))
    return up.size === 0 ? undefined : this.#rival.waitsFor([...up].sort())
  }

  /** Called whenever something may have changed, such as which places count. */
  look(): void {
    this.#tell()
    const { isAlone } = this
    if (isAlone === this.#wasAlone) return
    this.#wasAlone = isAlone
    this.#parts.changed()
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#watched.map((one) => this.#follow(one, signal)))
  }

  async #follow(watched: Watched, signal: AbortSignal): Promise<void> {
    const { api, clock, random } = this.#parts
    for await (const step of watch(api, watched.workloads, { signal, clock, random })) {
      watched.take(step)
      this.look()
    }
  }

  #counted(): readonly Watched[] {
    return this.#watched.filter(({ counts }) => counts())
  }

  /** Once for each change. */
  #tell(): void {
    const { log } = this.#parts
    const { waitsFor } = this
    if (waitsFor === this.#said) return
    this.#said = waitsFor
    const gone = `its ${this.#rival.part} is gone: we go on`
    if (waitsFor !== undefined) log({ level: 'warn', object: 'MetalLB', message: waitsFor })
    else log({ level: 'info', object: 'MetalLB', message: gone })
  }
}

/** One of the places where it would be. */
class Watched {
  readonly workloads: Resource
  readonly counts: () => boolean
  readonly #log: RivalParts['log']
  readonly #rival: Rival
  /** Where we were never let look we go on all the same. */
  #seen: 'nothing' | 'refused' | 'listed' = 'nothing'
  #up = new Set<string>()
  #listing = new Set<string>()
  #isRefusalSaid = false

  constructor({ log }: RivalParts, rival: Rival, { workloads, counts = () => true }: RivalPlace) {
    this.workloads = workloads
    this.counts = counts
    this.#log = log
    this.#rival = rival
  }

  get hasLooked(): boolean {
    return this.#seen !== 'nothing'
  }

  get up(): ReadonlySet<string> {
    return this.#up
  }

  take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Set()
    else if (step.type === 'init-apply') this.#note(step.json, this.#listing)
    else if (step.type === 'fault') this.#fail(step.fault)
    else this.#see(step)
  }

  #see(step: Exclude<WatchStep, { type: 'init' | 'init-apply' | 'fault' }>): void {
    this.#isRefusalSaid = false
    if (step.type === 'apply') this.#note(step.json, this.#up)
    else if (step.type === 'delete') this.#up.delete(nameOf(new Fields(step.json, [])))
    else {
      this.#seen = 'listed'
      this.#up = this.#listing
    }
  }

  /**
   * Not for us to see, or not served here. Once listed, that takes nothing back: an API server also
   * refuses everybody for a moment after its start, until it has read who may do what.
   */
  #fail(fault: Fault): void {
    const isRefused = fault instanceof ApiError && [403, 404].includes(fault.code)
    if (!isRefused) return
    if (this.#seen === 'nothing') this.#seen = 'refused'
    if (this.#isRefusalSaid) return
    this.#isRefusalSaid = true
    const isUnseen = this.#seen === 'refused'
    const runs = `MetalLB's ${this.#rival.part} ${isUnseen ? 'runs' : 'still runs'}`
    const where = this.workloads.namespace === undefined ? ' in another namespace' : ''
    const seen = isUnseen ? '' : ', what was seen last counts'
    const message = `whether ${runs}${where} is not known${seen}: ${fault.message}`
    // Where no such workloads are served there is none of MetalLB's.
    const level = isUnseen && fault.code === 404 ? 'info' : 'warn'
    this.#log({ level, object: 'MetalLB', message })
  }

  #note(json: unknown, up: Set<string>): void {
    const workload = new Fields(json, [])
    const name = nameOf(workload)
    if (this.#rival.isUp(workload)) up.add(name)
    else up.delete(name)
  }
}

function nameOf(workload: Fields): string {
  const { name, namespace } = metaOf(workload)
  return `${namespace}/${name}`
}
