// What happens after a write? Dependents of deleted objects and contents of namespaces and
// definitions are deleted, and Events expire, in small steps between other writes.
import type { JsonObject } from '../../../../core/model/gate.ts'
import type { Objects, Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { metaOf, recordsOf } from '../../values/jsonRead.ts'
import { definitions } from '../definition/accept.ts'
import { keepingOf } from '../keeping.ts'
import { letGo } from '../remove.ts'
import { decoded } from '../stored.ts'
import type { Notice, Work } from '../work.ts'
import { acceptWaiting } from './acceptWaiting.ts'
import { giveAccount, isAccount } from './accounts.ts'
import { emptyNamespace, endDefinition, endNamespace, withdrawDefinition } from './contents.ts'
import { collect, disown, endWait, isThere, release, type Spot } from './dependents.ts'
import { EventAges } from './events.ts'
import { findUnfinished } from './findUnfinished.ts'
import { endOfHandful, mostAtOnce, type Task } from './step.ts'

type UpkeepOptions = {
  /** Called for an error; the step is retried. */
  readonly failed: (error: unknown) => void
  readonly retryMs: number
  /** How often expired Events are deleted. */
  readonly ageingMs: number
}

export class Upkeep implements Notice {
  readonly #objects: Objects
  readonly #work: Work
  readonly #options: UpkeepOptions
  readonly #ages = new EventAges(() => performance.now())
  /** By topic, so that nothing is done twice. */
  readonly #tasks = new Map<string, Task>()
  /** Owners that wait for their dependents, by uid. */
  readonly #waiting = new Map<string, Spot>()
  readonly #emptying = new Set<string>()
  readonly #withdrawn = new Set<string>()
  #running: Promise<void> | undefined
  readonly #timers = new Set<NodeJS.Timeout>()
  #isStarted = false
  #isStopped = false

  constructor(objects: Objects, work: Work, options: UpkeepOptions) {
    this.#objects = objects
    this.#work = work
    this.#options = options
  }

  /** Also continues what the last process left unfinished. */
  start(): void {
    this.#isStarted = true
    const { items, revision } = listed(this.#objects, 'events')
    this.#ages.fill(items, this.#work.now())
    this.#objects.watch('events', revision, (change) => this.#ages.apply(change))
    const looking = findUnfinished(this.#objects, this.#work.kinds, {
      goes: (stored) => this.#goes(stored),
      isLost: (tx, stored) => disown({ work: this.#work, tx }, stored),
    })
    this.#add('unfinished', looking)
    this.#timers.add(setInterval(() => this.#age(), this.#options.ageingMs).unref())
    this.#age()
  }

  /** A step that has started is completed. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#running
  }

  /** Resolves when there is nothing left to do. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Also handles an object whose owners are being deleted or do not exist. */
  put(tx: Transaction, stored: Stored, object: JsonObject): void {
    const { resource, namespace, name, owners } = stored
    if (metaOf(object)['deletionTimestamp'] !== undefined) this.#goes(stored)
    if (resource === 'namespaces' && tx.get(resource, '', name) === undefined) this.#account(name)
    if (owners.length === 0) return
    const before = new Set(tx.get(resource, namespace, name)?.owners)
    if (owners.every((uid) => before.has(uid))) return
    for (const uid of owners) {
      const waiting = this.#waiting.get(uid)
      if (waiting !== undefined) this.#release(waiting)
    }
    const doing = { work: this.#work, tx }
    const references = recordsOf(metaOf(object)['ownerReferences'])
    if (references.some((owner) => !isThere(doing, stored, owner))) this.#disown(stored)
  }

  removed({ resource, namespace, name, uid, owners }: Stored): void {
    const work = this.#work
    this.#waiting.delete(uid)
    if (this.#objects.ownedBy(uid).length > 0) this.#collect(uid)
    for (const owner of owners) {
      const spot = this.#waiting.get(owner)
      if (spot !== undefined) this.#add(`end ${owner}`, (tx) => endWait(work, tx, spot))
    }
    if (isAccount({ resource, name })) this.#account(namespace)
    if (this.#emptying.has(namespace)) {
      this.#add(`end namespace ${namespace}`, (tx) => endNamespace(work, tx, namespace))
    }
    if (this.#withdrawn.has(resource)) {
      this.#add(`end definition ${resource}`, (tx) => endDefinition(work, tx, resource))
    }
    if (resource === 'namespaces') this.#emptying.delete(name)
    if (resource !== definitions) return
    this.#withdrawn.delete(name)
    this.#add('names', (tx) => acceptWaiting(work, tx))
  }

  /** The first namespaces are created with theirs. */
  #account(namespace: string): void {
    if (!this.#isStarted) return
    this.#add(`account ${namespace}`, (tx) => giveAccount(this.#work, tx, namespace))
  }

  #goes({ resource, namespace, name, uid }: Stored): void {
    if (resource === 'namespaces') this.#empty(name)
    if (resource === definitions) this.#withdraw(name)
    this.#release({ resource, namespace, name, uid })
  }

  /** Once for all owners that it lacks. */
  #disown({ resource, namespace, name, uid }: Stored): void {
    const spot = { resource, namespace, name, uid }
    this.#add(`dependent ${uid}`, (tx) => {
      disown({ work: this.#work, tx }, spot)
      return 'done'
    })
  }

  #collect(uid: string): void {
    this.#add(`owner ${uid}`, (tx) => collect(this.#work, tx, uid))
  }

  #empty(name: string): void {
    this.#emptying.add(name)
    this.#add(`namespace ${name}`, (tx) => emptyNamespace(this.#work, tx, name))
  }

  #withdraw(name: string): void {
    this.#withdrawn.add(name)
    this.#add(`definition ${name}`, (tx) => withdrawDefinition(this.#work, tx, name))
  }

  #release(spot: Spot): void {
    this.#waiting.set(spot.uid, spot)
    this.#add(`release ${spot.uid}`, (tx) => release(this.#work, tx, spot))
  }

  #age(): void {
    const age: Task = (tx) => {
      const { next } = tx
      const kind = this.#work.kinds.get('events')
      const old = this.#ages.old(mostAtOnce).map((spot) => ({ ...spot, resource: 'events' }))
      const some = old.slice(0, endOfHandful(tx, old, 0))
      for (const { resource, namespace, name } of some) {
        const stored = tx.get(resource, namespace, name)
        if (stored === undefined || kind === undefined) continue
        const keeping = keepingOf({ work: this.#work, tx }, kind, decoded(stored))
        letGo(keeping, { propagationPolicy: undefined })
      }
      // If nothing was written, the same ones would come again.
      const isMore = old.length === mostAtOnce || some.length < old.length
      return isMore && tx.next > next ? age : 'done'
    }
    this.#add('events', age)
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
      if (!this.#tasks.has(about)) this.#add(about, task)
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
        // A run that was started meanwhile does the rest, too.
        if (step !== 'done' && !this.#tasks.has(about)) this.#tasks.set(about, step)
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
