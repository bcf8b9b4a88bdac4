// What becomes of a cluster when things happen to it? The World, the objects behind it and virtual
// time: every decision is taken to a fixpoint and its writes go through admission, as in a daemon.

import type { FieldError } from '../model/admission.ts'
import { Bug } from '../model/bug.ts'
import { errorsText } from '../model/fieldError.ts'
import type { Admit, Gate, JsonObject, Refused } from '../model/gate.ts'
import { includes, type Json, merged, recordAt, textAt, textsAt } from '../model/json.ts'
import { isMadeAs, isOwnedBy, ownerOf, takenText } from '../model/made.ts'
import { mergePatch } from '../model/mergePatch.ts'
import { refOf, refText } from '../model/ref.ts'
import { isSame } from '../model/sameView.ts'
import { keyOf as keyIn } from '../model/view.ts'
import { type Settings, World } from '../model/world.ts'
import { type Ref, type Write, withStatus } from '../model/write.ts'
import type { Decider, EventWrite } from '../policy/decider.ts'
import { deciders } from '../policy/deciders.ts'
import { WorkQueue } from '../policy/workQueue.ts'
import { namespaceNamed, namespacesIn, ownNamespaceIn } from './namespaces.ts'
import { asReported } from './nmstate.ts'
import { idOf, isService, Objects } from './objects.ts'
import { withServiceDefaults } from './serviceDefaults.ts'
import { type StandIn, standInOf } from './standIns.ts'
import { timestamp } from './timestamp.ts'

/** About the object of that kind and key. */
type SeenEvent = EventWrite & { readonly kind: string; readonly key: string }
export type Applied = { readonly ok: true; readonly warnings: readonly string[] } | Refused

type ClusterOptions = {
  readonly usualInterface?: string
  readonly deciders?: readonly Decider[]
}
/** What a write comes from: somebody's manifest, or fields that we apply. */
type Author = {
  readonly manifest?: Json
  readonly applied?: Json
  readonly admit?: Admit
}
type Apply = Extract<Write, { type: 'apply' }>
type Deciding = { readonly decider: Decider; readonly queue: WorkQueue }

/** 2026-01-01, so that ages read like ages. */
const start = 1_767_225_600

export class Cluster {
  readonly #gate: Gate
  readonly #settings: Settings
  readonly #usualInterface: string
  readonly #deciders: readonly Decider[]
  readonly #objects = new Objects()
  #world: World
  #deciding: readonly Deciding[]
  /** What is looked at again even if nothing changes. */
  #later: { readonly queue: WorkQueue; readonly key: string; readonly at: number }[] = []
  #seconds = start
  #made = 0
  #version = 0
  #isAdopted = false
  #events: SeenEvent[] = []
  /** What was said last of each object, where events tell how things stand. */
  readonly #said = new Map<string, string>()
  readonly down = new Set<string>()
  /** Else one that a Tenant or a Site names is there. */
  knowsNamespaces = false
  /** Else nmstate is taken to be done with every policy, as it will be. */
  knowsNmstate = false

  constructor(gate: Gate, settings: Settings, options: ClusterOptions = {}) {
    this.#usualInterface = options.usualInterface ?? ''
    this.#deciders = options.deciders ?? deciders
    this.#gate = gate
    this.#settings = settings
    this.#world = new World(settings)
    this.#deciding = this.#begin()
  }

  #begin(): readonly Deciding[] {
    return this.#deciders.map((decider) => {
      return { decider, queue: new WorkQueue(this.#world, decider) }
    })
  }

  get world(): World {
    return this.#world
  }

  get(id: string): Json | undefined {
    return this.#objects.get(id)?.json
  }

  ids(): string[] {
    return [...this.#objects.all()].map(({ json }) => idOf(json))
  }

  objects(): readonly Json[] {
    return [...this.#objects.all()].map(({ json }) => json)
  }

  /** What was said since this was last asked. */
  takeEvents(): SeenEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  advance(seconds: number): void {
    this.#seconds += seconds
  }

  speakers(): { live: ReadonlySet<string>; expected: ReadonlySet<string> } {
    const expected = new Set(this.#world.all('Node').keys())
    return { expected, live: new Set([...expected].filter((node) => !this.down.has(node))) }
  }

  /** The name under which the object would be kept. */
  idOf(manifest: JsonObject): string {
    return idOf({ ...this.#gate.place(manifest) })
  }

  /** A manifest, created or updated as kubectl apply would; status and what we wrote stay. */
  apply(written: JsonObject, admit: Admit = this.#gate.admit): Applied {
    const manifest: Json = { ...this.#gate.place(written) }
    if (admit === this.#gate.admit)
      for (const name of this.#namespacesOf(manifest)) this.#ensure(name)
    const before = this.#objects.get(idOf(manifest))
    const { status: _, ...last } = before?.manifest ?? {}
    const json = merged(before?.json, last, manifest) as Json
    const applied = this.#write(json, { manifest, admit })
    const standIn = applied.ok ? standInOf(manifest, this.#usualInterface) : undefined
    if (standIn !== undefined) this.#stand(standIn, json)
    return applied
  }

  #namespacesOf(manifest: Json): readonly string[] {
    return this.knowsNamespaces ? ownNamespaceIn(manifest) : namespacesIn(manifest)
  }

  /** As an API holds it already: what is applied from now on is younger. */
  hold(json: JsonObject): Applied {
    const createdAt = Date.parse(textAt(recordAt(json, 'metadata'), 'creationTimestamp')) / 1_000
    if (createdAt >= this.#seconds) this.#seconds = createdAt + 1
    return this.apply(json, this.#gate.held)
  }

  delete(id: string): readonly FieldError[] {
    const stored = this.#objects.get(id)
    // A namespace that is named exists, given or not, and takes everything in it along.
    const isNamespace = id.startsWith('Namespace/')
    if (isNamespace) this.#empty(id.slice('Namespace/'.length))
    if (stored === undefined && isNamespace) return []
    if (stored === undefined) return [{ path: '', message: `${id} is not there` }]
    const errors = stored.view === undefined ? [] : this.#gate.admitDelete(this.#world, stored.view)
    if (errors.length > 0) return errors
    this.#remove(id)
    return []
  }

  /** What goes while no controller runs: nobody sees who deleted it. */
  lose(ids: readonly string[]): void {
    for (const id of ids) this.#objects.delete(id)
    this.restart()
  }

  /** The controller forgets; what the API holds is read again. */
  restart(): void {
    this.#world = new World(this.#settings)
    this.#deciding = this.#begin()
    this.#later = []
    for (const { view } of this.#objects.all()) {
      if (view !== undefined) this.#world.apply({ type: 'upsert', view })
    }
    this.#world.apply({ type: 'adoption', isOver: this.#isAdopted })
  }

  /** Until nothing is left to decide. What was there before is adopted then (R3.15). */
  settle(): void {
    if (this.#isAdopted || this.#world.hasRecords()) this.#adopted()
    this.#decideAll()
    this.#adopted()
  }

  #adopted(): void {
    this.#isAdopted = true
    this.#world.apply({ type: 'adoption', isOver: true })
  }

  #decideAll(): void {
    this.#lookAgain()
    let left = 1_000 + 50 * this.#world.services.size
    while (this.#deciding.some(({ queue }) => queue.size > 0)) {
      for (const { decider, queue } of this.#deciding) {
        for (const key of queue.take()) {
          this.#decide({ decider, queue }, key)
          if (left-- < 0) throw new Bug(`the cluster does not settle, ${key} at last`)
        }
      }
    }
  }

  #lookAgain(): void {
    const due = this.#later.filter(({ at }) => at <= this.#seconds)
    this.#later = this.#later.filter(({ at }) => at > this.#seconds)
    for (const { queue, key } of due) queue.add(key)
  }

  #decide({ decider, queue }: Deciding, key: string): void {
    const decided = decider.decide(this.#world, key, this.#now())
    const { intent, nodeIntent, writes, events = [], againInS } = decided
    if (intent !== undefined && this.#world.putsOff(intent)) return
    if (intent !== undefined) this.#world.apply({ type: 'intent', intent })
    if (nodeIntent !== undefined)
      this.#world.apply({ type: 'node', ipSet: key, intent: nodeIntent })
    const { kind } = decider
    if (!this.#isSaid(decider, key, events)) {
      for (const event of events) this.#events.push({ ...event, kind, key })
    }
    for (const write of writes) this.#carryOut(write, decider)
    if (againInS !== undefined) this.#later.push({ queue, key, at: this.#seconds + againInS })
  }

  #isSaid(
    { kind, isClaimed, ...decider }: Decider,
    key: string,
    events: readonly object[],
  ): boolean {
    if (isClaimed !== undefined || !('tellsState' in decider)) return false
    const [id, text] = [`${kind}/${key}`, JSON.stringify(events)]
    const isSaid = this.#said.get(id) === text
    this.#said.set(id, text)
    return isSaid
  }

  #carryOut(write: Write, { isClaimed }: Decider): void {
    if (write.type === 'apply') {
      this.#applyOurs(write, isClaimed !== undefined)
      return
    }
    const id = idOfRef(write.of)
    const before = this.get(id)
    if (before === undefined) return
    if (write.type === 'status') {
      const after = { ...withStatus(before, write, this.#now()) }
      if (mergePatch(before, after) !== undefined) this.#writeStatus(after)
    } else if (write.type === 'unfinalize') this.#unfinalize(before, write.finalizers)
    else if (write.madeFrom === undefined || isOwnedBy(before, write.madeFrom)) this.#remove(id)
  }

  /**
   * As server-side apply: what we applied before and do not now is gone. What stands there and was
   * not made by us stays (R4.19), unless it records a claim, wherever it came from (R3.1).
   */
  #applyOurs({ object, isRequired, maker = ownerOf(object) }: Apply, isClaim: boolean): void {
    const wanted: Json = { ...object }
    const { json, applied = {} } = this.#objects.get(idOf(wanted)) ?? {}
    const of = refOf(wanted)
    if (json !== undefined && !isClaim && !isMadeAs(json, wanted)) {
      const why = `${refText(of)}: ${takenText(wanted)}`
      if (isRequired === true && maker !== undefined)
        this.#world.apply({ type: 'refused', of, maker, why })
      return
    }
    // What the API fills in, inside lists too, is no difference.
    const isThere = includes(json, wanted) && isSame(applied, wanted)
    const after = isThere ? undefined : (merged(json, applied, wanted) as Json)
    const isSent = after !== undefined && mergePatch(json, after) !== undefined
    const written = isSent ? this.#write(after, { applied: wanted }) : ({ ok: true } as const)
    // Where nothing differs, too: what was refused before may have been something else.
    if (written.ok) this.#world.apply({ type: 'written', of })
    else if (maker !== undefined) {
      const why = errorsText(written.errors)
      this.#world.apply({ type: 'refused', of, maker, why })
    }
  }

  #write(json: Json, by: Author = {}): Applied {
    const { manifest, applied, admit = this.#gate.admit } = by
    const before = this.#objects.get(idOf(json))
    const isKnown = this.knowsNmstate && admit === this.#gate.held
    const reported = isKnown ? json : asReported(json, this.#now())
    const stamped = this.#stamp(reported, before?.json, manifest)
    const isAsked = manifest !== undefined || applied !== undefined
    const ruled = isAsked ? this.#asServed(stamped, before?.json) : asItIs(stamped)
    if (!ruled.ok) return ruled
    const admitted = admit(this.#world, ruled.json, before?.json)
    if (!admitted.ok) return admitted
    const { view } = admitted
    this.#objects.put({
      json: { ...admitted.json },
      view,
      manifest: manifest ?? before?.manifest,
      applied: applied ?? before?.applied,
    })
    if (admitted.view !== undefined) this.#world.apply({ type: 'upsert', view: admitted.view })
    const { errors } = ruled
    return errors.length > 0 ? { ok: false, isUnreadable: false, errors } : admitted
  }

  /** As the API server would keep it, before anybody of ours is asked. */
  #asServed(json: Json, before: Json | undefined) {
    if (!isService(json) || this.#gate.service === undefined) return asItIs(json)
    const others = [...this.#objects.all()].map((one) => one.json).filter(isService)
    return this.#gate.service(json, before, others)
  }

  /** Status is not validated again, as on a real API: only the view follows. */
  #writeStatus(json: Json): void {
    const before = this.#objects.get(idOf(json))
    const stamped = this.#stamp(json, before?.json, undefined)
    const view = this.#gate.view(stamped)
    this.#objects.put({ manifest: undefined, ...before, json: stamped, view })
    if (view !== undefined) this.#world.apply({ type: 'upsert', view })
  }

  #stamp(json: Json, before: Json | undefined, manifest: Json | undefined): Json {
    const known = recordAt(before, 'metadata')
    const metadata = recordAt(json, 'metadata')
    const creationTimestamp =
      known['creationTimestamp'] ?? metadata['creationTimestamp'] ?? this.#now()
    const uid = textAt(known, 'uid') || textAt(metadata, 'uid') || `uid-${++this.#made}`
    const resourceVersion = String(++this.#version)
    const stamped = { ...json, metadata: { ...metadata, uid, creationTimestamp, resourceVersion } }
    const isGuessed = isService(json) && this.#gate.service === undefined
    return isGuessed ? withServiceDefaults(stamped, this.#version, manifest) : stamped
  }

  /** A namespace that is named exists, given or not. */
  #ensure(namespace: string): void {
    if (this.#objects.get(`Namespace/${namespace}`) === undefined) {
      this.#write({ ...namespaceNamed(namespace) })
    }
  }

  #stand({ name, json }: StandIn, beside: Json): void {
    const namespace = textAt(recordAt(beside, 'metadata'), 'namespace')
    const id =
      beside['kind'] === 'Node' ? `NodeInterfaces/${name}` : `EndpointSlice/${namespace}/${name}`
    const before = this.#objects.get(id)
    if (before?.manifest !== undefined) return
    if (json !== undefined) this.#write(json)
    else if (before !== undefined) this.#remove(id)
  }

  #empty(namespace: string): void {
    const isInside = ({ metadata }: Json) => textAt(metadata, 'namespace') === namespace
    const inside = [...this.#objects.all()].map(({ json }) => json).filter(isInside)
    for (const json of inside) this.#remove(idOf(json))
  }

  #unfinalize(json: Json, finalizers: readonly string[]): void {
    const metadata = recordAt(json, 'metadata')
    const left = textsAt(metadata, 'finalizers').filter((one) => !finalizers.includes(one))
    this.#writeStatus({ ...json, metadata: { ...metadata, finalizers: left } })
    if (left.length === 0 && 'deletionTimestamp' in metadata) this.#remove(idOf(json))
  }

  /** With a finalizer it waits, and everybody sees that it goes. */
  #remove(id: string): void {
    const stored = this.#objects.get(id)
    if (stored === undefined) return
    const metadata = recordAt(stored.json, 'metadata')
    if (textsAt(metadata, 'finalizers').length > 0) {
      const deletionTimestamp = metadata['deletionTimestamp'] ?? this.#now()
      this.#writeStatus({ ...stored.json, metadata: { ...metadata, deletionTimestamp } })
      return
    }
    this.#objects.delete(id)
    if (stored.view !== undefined) {
      const { kind } = stored.view
      this.#world.apply({ type: 'delete', kind, key: keyIn(stored.view) })
    }
    const uid = textAt(recordAt(stored.json, 'metadata'), 'uid')
    for (const owned of this.#objects.ownedBy(uid)) this.#remove(owned)
    const standIn = standInOf(stored.json)
    if (standIn !== undefined) this.#stand({ ...standIn, json: undefined }, stored.json)
  }

  #now(): string {
    return timestamp(this.#seconds)
  }
}

const asItIs = (json: Json) => ({ ok: true, json, errors: [] }) as const

const idOfRef = ({ kind, name, namespace }: Ref): string =>
  idOf({ kind, metadata: { name, namespace } })
