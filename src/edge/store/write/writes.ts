// How are writes done? One after the other: each sees those before it, and is answered when it is
// durable.
import { randomUUID } from 'node:crypto'
import { Kinds } from '../kinds/kinds.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import type { Objects, Transaction } from '../storage/objects.ts'
import type { Stored } from '../storage/stored.ts'
import { done, type Outcome } from '../values/status.ts'
import type { Admission } from './admission.ts'
import type {
  DeleteOptions,
  Patch,
  SentObject,
  WriteOptions,
  WriteTarget,
  Written,
} from './asked.ts'
import { type Creating, create } from './create.ts'
import { definitions } from './definition/accept.ts'
import { firstObjects } from './firstObjects.ts'
import { patchObject } from './patch.ts'
import { placeNow } from './placeNow.ts'
import { notServed } from './refusals.ts'
import { type Removing, removeObject } from './remove.ts'
import { Holdings } from './service/holdings.ts'
import { type ServiceRanges, usualRanges } from './service/ranges.ts'
import { decoded } from './stored.ts'
import { replace } from './update.ts'
import { endOfHandful } from './upkeep/step.ts'
import { Upkeep } from './upkeep/upkeep.ts'
import type { Work } from './work.ts'

type WritesParts = {
  readonly objects: Objects
  readonly admission: Admission
  /** Called for an error in the background; the work is retried. */
  readonly failed: (error: unknown) => void
  readonly now?: () => Date
  readonly random?: () => number
  readonly ranges?: ServiceRanges
}

type Answer = Promise<Outcome<Written>>
const [retryMs, ageingMs] = [1_000, 60_000]

export class Writes {
  readonly kinds = new Kinds()
  readonly #objects: Objects
  readonly #work: Work
  readonly #upkeep: Upkeep

  /** Ready once the objects that every cluster has exist. */
  static async start(parts: WritesParts): Promise<Writes> {
    const writes = new Writes(parts)
    await writes.#start()
    return writes
  }

  private constructor(parts: WritesParts) {
    const { objects, admission, failed, ranges = usualRanges } = parts
    const { now = () => new Date(), random = Math.random } = parts
    this.#objects = objects
    this.#work = {
      kinds: this.kinds,
      admission,
      holdings: new Holdings(ranges, random),
      now,
      random,
      newUid: randomUUID,
      notice: {
        put: (tx, stored, object) => this.#upkeep.put(tx, stored, object),
        removed: (stored) => this.#upkeep.removed(stored),
      },
    }
    this.#upkeep = new Upkeep(objects, this.#work, { failed, retryMs, ageingMs })
  }

  async #start(): Promise<void> {
    this.#follow(definitions, ({ type, stored }) => {
      if (type === 'DELETED') this.kinds.forget(stored.name)
      else this.kinds.define(decoded(stored))
    })
    this.#follow('services', (change) => this.#work.holdings.apply(change))
    const promised = { ips: [], ports: [] }
    await this.#objects.write((tx) => firstObjects(this.#work, tx, promised))
    this.#work.holdings.settle(promised)
    this.#upkeep.start()
  }

  #follow(resource: string, apply: Parameters<Objects['watch']>[2]): void {
    const page = this.#objects.list({ resource })
    if (typeof page === 'string') throw new Error(`${resource} cannot be listed: ${page}`)
    const { items, revision } = page
    for (const stored of items) apply({ type: 'ADDED', revision, stored, before: undefined })
    this.#objects.watch(resource, revision, apply)
  }

  /** Stops the work in the background; the storage stays open. */
  async stop(): Promise<void> {
    await this.#upkeep.stop()
  }

  /** Resolves when all consequences of the writes so far are done. */
  async settled(): Promise<void> {
    await this.#upkeep.idle()
  }

  create(place: WriteTarget, sent: SentObject, options: WriteOptions): Answer {
    return this.#decide(place, options, (creating) => create(creating, sent))
  }

  replace(place: WriteTarget, sent: SentObject, options: WriteOptions): Answer {
    return this.#decide(place, options, (creating) => replace(creating, sent))
  }

  patch(place: WriteTarget, patch: Patch, options: WriteOptions): Answer {
    return this.#decide(place, options, (creating) => patchObject(creating, patch))
  }

  delete(place: WriteTarget, options: DeleteOptions): Answer {
    const remove = (tx: Transaction) => this.#remove({ work: this.#work, tx, place, options })
    return this.#objects.write(remove, place.person.user)
  }

  /** Not atomic: other writes run in between, and the first refusal ends it. */
  async deleteCollection(
    place: WriteTarget,
    matches: ((stored: Stored) => boolean) | undefined,
    options: DeleteOptions,
  ): Answer {
    const { found, namespace } = place
    const resource = resourceOf(found.kind)
    const inside = found.kind.isNamespaced ? namespace : undefined
    const page = this.#objects.list({ resource, namespace: inside, matches })
    if (typeof page === 'string') throw new Error(`${resource} cannot be listed: ${page}`)
    const warnings: string[] = []
    for (let from = 0; from < page.items.length; ) {
      const removed = await this.#objects.write((tx) => {
        const some = page.items.slice(from, endOfHandful(tx, page.items, from))
        from += some.length
        return this.#removeSome({ work: this.#work, tx, place, options }, some)
      }, place.person.user)
      if (!removed.ok) return removed
      warnings.push(...removed.value)
    }
    return done({ code: 200, shows: { page }, warnings })
  }

  #removeSome(removing: Removing, some: readonly Stored[]): Outcome<readonly string[]> {
    const warnings: string[] = []
    for (const { namespace, name } of some) {
      const place = { ...removing.place, namespace, name }
      const removed = this.#remove({ ...removing, place })
      if (removed.ok) warnings.push(...removed.value.warnings)
      else if (removed.status.code !== 404) return removed
    }
    return done(warnings)
  }

  #remove(removing: Removing): Outcome<Written> {
    const place = placeNow(this.kinds, removing.place)
    return place === undefined ? notServed : removeObject({ ...removing, place })
  }

  async #decide(
    place: WriteTarget,
    options: WriteOptions,
    decide: (creating: Creating) => Outcome<Written>,
  ): Answer {
    const promised = { ips: [], ports: [] }
    const work = this.#work
    try {
      return await this.#objects.write((tx) => {
        const now = placeNow(this.kinds, place)
        return now === undefined ? notServed : decide({ work, tx, place: now, options, promised })
      }, place.person.user)
    } finally {
      work.holdings.settle(promised)
    }
  }
}
