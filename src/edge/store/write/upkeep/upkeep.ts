// What follows from writes that are done already? What belongs to what is gone goes too, namespaces
// and definitions empty themselves, Events age: in small steps, between the writes of others.
import type { JsonObject } from '../../../../core/model/gate.ts'
import type { Objects, Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { definitions } from '../definition/accept.ts'
import { metaOf, recordsOf, textOf } from '../jsonRead.ts'
import { keptAs, letGo } from '../remove.ts'
import { decoded } from '../stored.ts'
import type { Notice, Work } from '../work.ts'
import { acceptWaiting } from './acceptWaiting.ts'
import { emptyNamespace, withdrawDefinition } from './contents.ts'
import { collect, isThere, mostAtOnce, release, type Spot, type Step } from './dependents.ts'
import { EventAges } from './events.ts'
import { findUnfinished } from './findUnfinished.ts'
import { migrate, resourcesToMigrate } from './migrate.ts'

export type UpkeepOptions = {
  /** Told of what failed; it is tried again. */
  readonly failed: (error: unknown) => void
  readonly retryMs: number
  /** How often old Events are looked for. */
  readonly ageingMs: number
}

type Task = (tx: Transaction) => Step

export class Upkeep implements Notice {
  readonly #objects: Objects
  readonly #work: Work
  readonly #options: UpkeepOptions
  readonly #ages = new EventAges()
  /** By what they are about, so that nothing is done twice. */
  readonly #tasks = new Map<string, Task>()
  /** Who waits for what belongs to it, by uid. */
  readonly #waiting = new Map<string, Spot>()
  readonly #emptying = new Set<string>()
  readonly #withdrawn = new Set<string>()
  #running: Promise<void> | undefined
  readonly #timers = new Set<NodeJS.Timeout>()
  #isStopped = false

  constructor(objects: Objects, work: Work, options: UpkeepOptions) {
    this.#objects = objects
    this.#work = work
    this.#options = options
  }

  /** Also takes up what was left unfinished when the last process ended. */
  start(): void {
    const { items, revision } = listed(this.#objects, 'events')
    this.#ages.fill(items)
    this.#objects.watch('events', revision, (change) =>
      this.#ages.apply(change, this.#work.now().getTime()),
    )
    const unfinished = findUnfinished(this.#objects, this.#work.kinds)
    for (const uid of unfinished.lostOwners) this.#collect(uid)
    for (const stored of unfinished.going) this.#goes(stored)
    for (const resource of resourcesToMigrate(this.#work.kinds.all())) this.migrate(resource)
    this.#timers.add(setInterval(() => this.#age(), this.#options.ageingMs).unref())
    this.#age()
  }

  /** Nothing is left half done: a step that has begun ends. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#running
  }

  /** Resolves when nothing is left to do for now. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Also of an object that is put under owners who are not there (any more). */
  put(tx: Transaction, stored: Stored, object: JsonObject): void {
    const { resource, namespace, name, owners } = stored
    if (metaOf(object)['deletionTimestamp'] !== undefined) this.#goes(stored)
    if (owners.length === 0) return
    const before = tx.get(resource, namespace, name)?.owners ?? []
    if (owners.every((uid) => before.includes(uid))) return
    for (const owner of recordsOf(metaOf(object)['ownerReferences'])) {
      if (!isThere(this.#work, tx, stored, owner)) this.#collect(textOf(owner['uid']))
    }
  }

  removed({ resource, namespace, uid, owners }: Stored): void {
    this.#waiting.delete(uid)
    if (this.#objects.ownedBy(uid).length > 0) this.#collect(uid)
    for (const owner of owners) {
      const spot = this.#waiting.get(owner)
      if (spot !== undefined) this.#release(spot)
    }
    if (this.#emptying.has(namespace)) this.#empty(namespace)
    if (this.#withdrawn.has(resource)) this.#withdraw(resource)
    if (resource === definitions) this.#add('names', (tx) => acceptWaiting(this.#work, tx))
  }

  /** Whose definition has another version to be kept now. */
  migrate(resource: string): void {
    this.#add(`version ${resource}`, (tx) => migrate(this.#work, tx, resource))
  }

  #goes({ resource, namespace, name, uid }: Stored): void {
    if (resource === 'namespaces') this.#empty(name)
    if (resource === definitions) this.#withdraw(name)
    this.#release({ resource, namespace, name, uid })
  }

  #collect(uid: string): void {
    this.#add(`owner ${uid}`, (tx) => collect(this.#work, tx, uid))
  }

  #empty(name: string): void {
    this.#emptying.add(name)
    this.#add(`namespace ${name}`, (tx) => {
      const step = emptyNamespace(this.#work, tx, name)
      if (tx.get('namespaces', '', name) === undefined) this.#emptying.delete(name)
      return step
    })
  }

  #withdraw(name: string): void {
    this.#withdrawn.add(name)
    this.#add(`definition ${name}`, (tx) => {
      const step = withdrawDefinition(this.#work, tx, name)
      if (tx.get(definitions, '', name) === undefined) this.#withdrawn.delete(name)
      return step
    })
  }

  #release(spot: Spot): void {
    this.#waiting.set(spot.uid, spot)
    this.#add(`release ${spot.uid}`, (tx) => release(this.#work, tx, spot))
  }

  #age(): void {
    this.#add('events', (tx) => {
      const kind = this.#work.kinds.get('events')
      const base = { work: this.#work, isDryRun: false }
      const old = this.#ages.old(this.#work.now().getTime(), mostAtOnce)
      for (const { namespace, name } of old) {
        const stored = tx.get('events', namespace, name)
        if (stored === undefined || kind === undefined) continue
        const keeping = { ...base, tx, found: keptAs(kind), object: decoded(stored) }
        letGo(keeping, { propagationPolicy: undefined })
      }
      return old.length === mostAtOnce ? 'more' : 'done'
    })
  }

  #add(about: string, task: Task): void {
    if (this.#isStopped) return
    this.#tasks.set(about, task)
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  #later(about: string, task: Task): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#add(about, task)
    }, this.#options.retryMs)
    this.#timers.add(timer.unref())
  }

  async #run(): Promise<void> {
    while (this.#tasks.size > 0 && !this.#isStopped) {
      const next = this.#tasks.entries().next()
      if (next.done) return
      const [about, task] = next.value
      this.#tasks.delete(about)
      try {
        const step = await this.#objects.write(task)
        if (step === 'more' && !this.#tasks.has(about)) this.#tasks.set(about, task)
      } catch (error) {
        this.#options.failed(error)
        this.#later(about, task)
      }
    }
  }
}

function listed(objects: Objects, resource: string) {
  const page = objects.list({ resource })
  if (typeof page === 'string') throw new Error(`${resource} cannot be listed: ${page}`)
  return page
}
