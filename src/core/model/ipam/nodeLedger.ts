// Which addresses do the hosts of OpenStack have, and what is free for them? Follows NetConfigs,
// IPSets, Reservations and blocks; queues the IPSets that a change concerns, and no others.
import type { Ip } from '../../net/ip.ts'
import { ServiceQueue } from '../serviceQueue.ts'
import type { View } from '../view.ts'
import { asKind, type ViewStore } from '../viewStore.ts'
import { type Waiter, Waiting } from '../waiting.ts'
import type { NetConfig, Reservation } from '../wires.ts'
import { blockName } from './addressBlock.ts'
import { type BlockClaim, claimsOf, isGone, placeOf, placesOf } from './claimsOf.ts'
import { HeldAddresses, type ReadonlyHeldAddresses, type Whose } from './heldAddresses.ts'
import { mostNamed } from './holders.ts'
import { LinkRanges } from './linkRanges.ts'
import { type NodeWait, waiterOf, waitFor } from './nodeWait.ts'
import { type Plan, planOf, rangedWires, rewiredBy, type WireSources } from './nodeWires.ts'
import { NotedIn } from './notedIn.ts'
import { noteIn } from './noteIn.ts'
import { isSamePlaces, mayHave, type Placed, placesIn } from './reservedPlaces.ts'
import { subnetsOf } from './subnetIds.ts'
import { type ReadonlySubnetLedger, SubnetLedger } from './subnetLedger.ts'
import { ownWire } from './wireNames.ts'

/** A decision about an IPSet that counts from now on, before its writes are done. */
export type NodeIntent = {
  readonly ipSet: string
  readonly addresses: readonly { readonly network: string; readonly address: Ip }[]
  readonly wait: NodeWait | undefined
}
/** What is decided for an IPSet counts from now on; or, without an intent, no longer. */
export type NodeChange = {
  readonly type: 'node'
  readonly ipSet: string
  readonly intent?: NodeIntent
}
/** What policy may ask. */
export type ReadonlyNodeLedger = Pick<
  NodeLedger,
  'configsIn' | 'wiresIn' | 'wireOf' | 'subnet' | 'ipSetsIn' | 'yielding' | 'mayHave'
> & {
  readonly held: ReadonlyHeldAddresses
  readonly waiting: Pick<Waiting, 'has' | 'keys'>
  readonly links: Pick<LinkRanges, 'isAnothers' | 'isOutside'>
}

type LedgerParts = {
  readonly views: ViewStore
  /** The block has to be looked at. */
  readonly touched: (block: string) => void
}

export class NodeLedger {
  readonly queue = new ServiceQueue()
  readonly held = new HeldAddresses()
  readonly waiting = new Waiting()
  readonly links: LinkRanges
  readonly #parts: LedgerParts
  readonly #sources: WireSources
  readonly #subnets = new Map<string, SubnetLedger>()
  readonly #notedIn = new NotedIn()
  /** By namespace: what its NetConfig plans. */
  readonly #plans = new Map<string, Plan>()
  readonly #ipSets = new Map<string, Set<string>>()
  readonly #reservations = new Map<string, Set<string>>()
  readonly #configs = new Map<string, Set<string>>()
  /** By IPSet: what is decided for it. */
  readonly #pending = new Map<string, readonly Whose[]>()
  /** By Reservation: where its entries count. */
  readonly #placed = new Map<string, readonly Whose[]>()

  constructor(parts: LedgerParts) {
    this.#parts = parts
    const { views } = parts
    this.#sources = { namespaces: views.of('Namespace'), tenants: views.of('Tenant') }
    this.links = new LinkRanges(this.#sources)
  }

  /** The first is the one that counts: the oldest, then by name. */
  configsIn(namespace: string): readonly NetConfig[] {
    const all = this.#parts.views.of('NetConfig')
    return [...(this.#configs.get(namespace) ?? [])]
      .flatMap((key) => all.get(key) ?? [])
      .sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
  }

  ipSetsIn(namespace: string): ReadonlySet<string> {
    return this.#ipSets.get(namespace) ?? new Set()
  }

  subnet(id: string): ReadonlySubnetLedger | undefined {
    return this.#subnets.get(id)
  }

  /** Of a network that is not in the NetConfig, every wire that it could have been on. */
  wiresIn(namespace: string, network: string): readonly string[] {
    const plan = this.#plans.get(namespace)
    if (plan === undefined) return [ownWire(namespace)]
    const wire = plan.wires.get(network.toLowerCase())
    return wire === undefined ? plan.elsewhere : [wire]
  }

  /** Of a network that the NetConfig has. */
  wireOf(namespace: string, network: string): string {
    return this.wiresIn(namespace, network)[0] ?? ownWire(namespace)
  }

  /** Kept for hosts of other namespaces in the ranges of the subnet, longest gone first. */
  *yielding(id: string): Generator<Ip, void> {
    const ledger = this.#subnets.get(id)
    if (ledger === undefined) return
    const { wire } = ledger
    for (const { address } of this.held.keptBeside(wire, id.slice(0, id.indexOf('/')))) {
      if (ledger.has(address) && this.held.count(wire, address) === 1) yield address
    }
  }

  follow(before: View | undefined, after: View | undefined): void {
    const kind = (after ?? before)?.kind
    if (kind === 'NetConfig') this.#configChanged(before, after)
    if (kind === 'IPSet') this.#ipSetChanged(before, after)
    if (kind === 'Reservation') this.#reservationChanged(before, after)
    if (kind === 'AddressBlock') this.#blockChanged(before, after)
    if (kind !== 'Tenant' && kind !== 'Namespace') return
    const rewired = rewiredBy(this.#sources, [before, after])
    if (kind === 'Tenant' || rewired.size > 0) this.#rangesChanged([before, after])
    for (const namespace of rewired) this.#rewire(namespace)
  }

  change({ ipSet, intent }: NodeChange): void {
    if (intent === undefined) this.#drop(ipSet)
    else this.#enter(intent)
  }

  #enter({ ipSet: key, addresses, wait }: NodeIntent): void {
    const view = this.#parts.views.of('IPSet').get(key)
    if (view === undefined) return
    const after = addresses.flatMap(({ network, address }) =>
      this.wiresIn(view.namespace, network).map((wire) => ({ wire, address, key, network })),
    )
    const before = this.#pending.get(key) ?? []
    for (const one of after) {
      this.#hold(one, { isPending: true, network: one.network })
    }
    const places = placesOf(after)
    for (const one of before) {
      if (!places.has(placeOf(one))) this.#release(one, { isPending: false })
    }
    this.#pending.set(key, after)
    if (this.#isPendingDone(key)) this.#drop(key)
    const next =
      wait === undefined
        ? this.waiting.leave(key)
        : this.waiting.enter(waiterOf(view), waitFor(wait))
    if (next !== undefined) this.wake(next)
  }

  /** What was decided is written, or was refused. */
  #drop(key: string): void {
    const before = this.#pending.get(key) ?? []
    this.#pending.delete(key)
    for (const one of before) this.#release(one, { isPending: false })
  }

  /** It will be decided again, the oldest first. */
  wake(key: string): void {
    const view = this.#parts.views.of('IPSet').get(key)
    if (view !== undefined) this.queue.push(key, waiterOf(view))
  }

  /** Something else let go of the address, or took it. */
  turned(ip: Ip): void {
    if (this.waiting.keys().next().done === true) return
    for (const key of this.waiting.onAddress(ip)) this.wake(key)
    for (const id of this.waiting.pools()) this.#offer(id)
  }

  #configChanged(before: View | undefined, after: View | undefined): void {
    for (const view of [before, after]) {
      if (view?.kind !== 'NetConfig') continue
      noteIn(this.#configs, view, view === after)
      this.#plan(view.namespace)
    }
  }

  /** Everything of the namespace counts where the NetConfig says now. */
  #plan(namespace: string): void {
    for (const id of this.#plans.get(namespace)?.subnets ?? []) this.#close(id)
    const [config] = this.configsIn(namespace)
    if (config === undefined) this.#plans.delete(namespace)
    else this.#plans.set(namespace, planOf(this.#sources, config))
    const reservations = this.#parts.views.of('Reservation')
    for (const key of this.#reservations.get(namespace) ?? []) this.#place(reservations.get(key))
    if (config !== undefined) this.#open(config)
    for (const key of this.ipSetsIn(namespace)) this.wake(key)
  }

  /** A host that asked for what was another tenant's may have it now. */
  #rangesChanged(views: readonly (View | undefined)[]): void {
    this.links.forget()
    for (const key of this.waiting.keys()) this.wake(key)
    const changed = new Set(views.flatMap((view) => rangedWires(this.#sources, view)))
    for (const [namespace, { wires, elsewhere }] of this.#plans) {
      if (![...wires.values(), ...elsewhere].some((wire) => changed.has(wire))) continue
      for (const key of this.#reservations.get(namespace) ?? []) this.#placeAgain(key)
    }
  }

  mayHave(whose: Whose): boolean {
    const { links, held } = this
    return mayHave({ links, held, ipSets: this.#parts.views.of('IPSet') }, whose)
  }

  /** The Namespace or its Tenant may put its networks on other wires. */
  #rewire(namespace: string): void {
    const [config] = this.configsIn(namespace)
    const before = this.#plans.get(namespace)
    if (config === undefined || before === undefined) return
    const after = planOf(this.#sources, config)
    const text = ({ wires, elsewhere }: Plan) => JSON.stringify([...wires, ...elsewhere])
    if (text(before) !== text(after)) this.#plan(namespace)
  }

  #open(config: NetConfig): void {
    const { namespace, skipsAsUpstream } = config
    for (const { id, network, subnet } of subnetsOf(config)) {
      // The first of a name counts.
      if (this.#subnets.has(id)) continue
      const wire = this.wireOf(namespace, network)
      const isHeld = (ip: Ip): boolean => this.held.has(wire, ip)
      const noted = (ip: Ip): void => this.#notedIn.note(wire, ip, id)
      const lastOfAnothers = (ip: Ip) => this.links.lastOfAnothers(wire, namespace, ip)
      const onWire = { wire, isHeld, noted, lastOfAnothers }
      this.#subnets.set(id, new SubnetLedger(subnet, onWire, skipsAsUpstream))
      this.#plans.get(namespace)?.subnets.push(id)
    }
  }

  #close(id: string): void {
    const ledger = this.#subnets.get(id)
    if (ledger === undefined) return
    this.#subnets.delete(id)
    for (const ip of ledger.noted) this.#notedIn.forget(ledger.wire, ip, id)
  }

  #ipSetChanged(before: View | undefined, after: View | undefined): void {
    const [was, is] = [asKind('IPSet', before), asKind('IPSet', after)]
    const view = is ?? was
    if (view === undefined) return
    noteIn(this.#ipSets, view, is !== undefined)
    if (was !== undefined && was.uid !== is?.uid) {
      this.#drop(was.key)
      const next = this.waiting.leave(was.key)
      if (next !== undefined) this.wake(next)
    }
    // What it has may be kept for it, or stay behind.
    if (was?.uid !== is?.uid) this.#touchAll(view.key)
    this.#placeAgain(view.key)
    this.wake(view.key)
  }

  #reservationChanged(before: View | undefined, after: View | undefined): void {
    const [was, is] = [asKind('Reservation', before), asKind('Reservation', after)]
    const view = is ?? was
    if (view === undefined) return
    noteIn(this.#reservations, view, is !== undefined)
    if (is === undefined) this.#unplace(view.key, [])
    else this.#place(is)
    // A claim beside what it records now has nobody whom it is for.
    this.#touchAll(view.key)
    if (this.#isPendingDone(view.key)) this.#drop(view.key)
    this.wake(view.key)
  }

  #place(reservation: Reservation | undefined): void {
    if (reservation === undefined) return
    const { key } = reservation
    const after = this.#placesIn(reservation)
    for (const one of after) {
      this.#hold(one, { isReserved: true, network: this.held.spelled(one, one.network) })
    }
    this.#unplace(key, after)
    this.#placed.set(key, after)
  }

  #placesIn(reservation: Reservation): readonly Placed[] {
    const wiresIn = (namespace: string, network: string) => this.wiresIn(namespace, network)
    return placesIn(reservation, { wiresIn, mayHave: (whose) => this.mayHave(whose) })
  }

  /** What is another tenant's may be so no longer, or be claimed by now; or the other way round. */
  #placeAgain(key: string): void {
    const reservation = this.#parts.views.of('Reservation').get(key)
    if (reservation === undefined) return
    if (isSamePlaces(this.#placed.get(key) ?? [], this.#placesIn(reservation))) return
    this.#place(reservation)
    if (this.#isPendingDone(key)) this.#drop(key)
    this.wake(key)
  }

  #unplace(key: string, after: readonly Whose[]): void {
    const places = placesOf(after)
    for (const one of this.#placed.get(key) ?? []) {
      if (!places.has(placeOf(one))) this.#release(one, { isReserved: false })
    }
    this.#placed.delete(key)
  }

  #isPendingDone(key: string): boolean {
    const pending = this.#pending.get(key)
    if (pending === undefined) return false
    const places = placesOf(this.#placed.get(key) ?? [])
    return pending.every((one) => places.has(placeOf(one)))
  }

  #blockChanged(before: View | undefined, after: View | undefined): void {
    const [was = [], is = []] = [before, after].map((view) =>
      view?.kind === 'AddressBlock' ? claimsOf(view) : [],
    )
    const known = placesOf(was.map(({ whose }) => whose))
    for (const { whose, holder } of is) {
      this.#hold(whose, { claim: holder, network: holder.network })
      if (known.has(placeOf(whose))) continue
      if (this.held.isUnfinished(whose)) this.#placeAgain(whose.key)
      if (this.held.isUnfinished(whose)) this.wake(whose.key)
    }
    const places = placesOf(is.map(({ whose }) => whose))
    for (const { whose } of was) {
      if (places.has(placeOf(whose))) continue
      this.#release(whose, { claim: undefined })
      this.wake(whose.key)
    }
    const wereGone = placesOf(was.filter(isGone).map(({ whose }) => whose))
    this.#keep(is.filter((one) => isGone(one) && !wereGone.has(placeOf(one.whose))))
    const view = after ?? before
    if (view?.kind === 'AddressBlock') this.#parts.touched(view.name)
  }

  /** Hosts of other namespaces need not wait for it, and nobody keeps without end (R12.14). */
  #keep(gone: readonly BlockClaim[]): void {
    const [first] = gone
    if (first === undefined) return
    for (const { whose } of gone) {
      for (const key of this.waiting.onAddress(whose.address)) this.wake(key)
    }
    for (const id of this.waiting.pools())
      if (this.#subnets.get(id)?.wire === first.whose.wire) this.#offer(id)
    for (const namespace of new Set(gone.map(({ holder }) => holder.namespace))) {
      for (const { wire, address } of this.held.beyondKept(namespace)) {
        this.#parts.touched(blockName(wire, address))
      }
    }
  }

  #hold(whose: Whose & { network?: string }, said: Parameters<HeldAddresses['set']>[1]): void {
    const { block } = this.held.set(whose, said)
    if (said.isReserved === true) this.#wakeOthers(whose)
    this.#parts.touched(block)
  }

  #release(whose: Whose, said: Parameters<HeldAddresses['unset']>[1]): void {
    const { wire, address } = whose
    this.#parts.touched(blockName(wire, address))
    const isFree = this.held.unset(whose, said)
    if (said.isReserved === false) this.#wakeOthers(whose)
    if (!isFree) return
    for (const key of this.waiting.onAddress(address)) this.wake(key)
    for (const id of this.#notedIn.take(wire, address)) {
      if (this.#subnets.get(id)?.release(address) === true) this.#offer(id)
    }
  }

  /** A host with the same address says so, until the other no longer has it (R12.13). */
  #wakeOthers({ wire, address, key }: Whose): void {
    if (this.held.count(wire, address) > mostNamed + 1) return
    for (const other of this.held.each(wire, address)) if (other.key !== key) this.wake(other.key)
  }

  #touchAll(key: string): void {
    for (const { block } of this.held.of(key)) this.#parts.touched(block)
  }

  /** One address serves one: the next is asked only if something is left by then. */
  #offer(id: string, last?: Waiter): void {
    const next = this.waiting.nextOnPool(id, last)
    if (next === undefined) return
    this.queue.ask(id, next, () => {
      const isFull = this.#subnets.get(id)?.isFull !== false
      if (isFull && this.yielding(id).next().done === true) return false
      this.#offer(id, next)
      return this.waiting.has(next.key)
    })
  }
}

const ageOf = ({ createdAt, name }: NetConfig): string => `${createdAt} ${name}`
