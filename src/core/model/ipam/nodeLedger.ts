// Which addresses do the hosts of OpenStack have, and what is free for them? Follows NetConfigs,
// IPSets, Reservations and blocks; queues the IPSets that a change concerns, and no others.
import type { Ip } from '../../net/ip.ts'
import { ServiceQueue } from '../serviceQueue.ts'
import type { View } from '../view.ts'
import type { ViewStore } from '../viewStore.ts'
import { type Wait, type Waiter, Waiting } from '../waiting.ts'
import type { NetConfig, Reservation } from '../wires.ts'
import { type AddressBlock, blockName, keyOfBlockHolder } from './addressBlock.ts'
import { HeldAddresses, type Whose } from './heldAddresses.ts'
import type { IpSet } from './ipSet.ts'
import { ownWire, wireOf } from './nodeWires.ts'
import { type ReadonlySubnetLedger, SubnetLedger } from './subnetLedger.ts'

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
/** What it waits for. */
export type NodeWait = { readonly subnets: readonly string[]; readonly addresses: readonly Ip[] }

/** What policy may ask. */
export type ReadonlyNodeLedger = Pick<
  NodeLedger,
  'configsIn' | 'wiresIn' | 'subnet' | 'ipSetsIn'
> & {
  readonly held: Pick<HeldAddresses, 'at' | 'of' | 'in' | 'on' | 'wires'>
  readonly waiting: Pick<Waiting, 'has' | 'keys'>
}

type LedgerParts = {
  readonly views: ViewStore
  /** The block has to be looked at. */
  readonly touched: (block: string) => void
}

/** `namespace/network/subnet`, in lower case. */
export const subnetId = (namespace: string, network: string, subnet: string): string =>
  `${namespace}/${network}/${subnet}`.toLowerCase()

export class NodeLedger {
  readonly queue = new ServiceQueue()
  readonly held = new HeldAddresses()
  readonly waiting = new Waiting()
  readonly #parts: LedgerParts
  readonly #subnets = new Map<string, SubnetLedger>()
  /** By wire and address: the subnets that have noted it as held. */
  readonly #notedIn = new Map<string, Set<string>>()
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
    return plan.networks.has(network.toLowerCase()) ? [plan.wire] : plan.wires
  }

  follow(before: View | undefined, after: View | undefined): void {
    const kind = (after ?? before)?.kind
    if (kind === 'NetConfig') this.#configChanged(before, after)
    if (kind === 'IPSet') this.#ipSetChanged(before, after)
    if (kind === 'Reservation') this.#reservationChanged(before, after)
    if (kind === 'AddressBlock') this.#blockChanged(before, after)
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
      note(this.#configs, view, view === after)
      this.#plan(view.namespace)
    }
  }

  /** Everything of the namespace counts where the NetConfig says now. */
  #plan(namespace: string): void {
    for (const [id, ledger] of this.#subnets) {
      if (id.startsWith(`${namespace}/`)) this.#close(id, ledger)
    }
    const [config] = this.configsIn(namespace)
    if (config === undefined) this.#plans.delete(namespace)
    else this.#plans.set(namespace, planOf(config))
    const reservations = this.#parts.views.of('Reservation')
    for (const key of this.#reservations.get(namespace) ?? []) this.#place(reservations.get(key))
    if (config !== undefined) this.#open(config)
    for (const key of this.ipSetsIn(namespace)) this.wake(key)
  }

  #open(config: NetConfig): void {
    const { namespace, networks, skipsAsUpstream } = config
    const wire = wireOf(config)
    for (const network of networks) {
      for (const subnet of network.subnets) {
        const id = subnetId(namespace, network.name, subnet.name)
        // The first of a name counts.
        if (this.#subnets.has(id)) continue
        const isHeld = (ip: Ip): boolean => this.held.has(wire, ip)
        const noted = (ip: Ip): void => this.#noted(id, `${wire} ${ip}`)
        const ledger = new SubnetLedger(subnet, { wire, isHeld, noted }, skipsAsUpstream)
        this.#subnets.set(id, ledger)
      }
    }
  }

  #noted(id: string, place: string): void {
    const known = this.#notedIn.get(place)
    if (known === undefined) this.#notedIn.set(place, new Set([id]))
    else known.add(id)
  }

  #close(id: string, ledger: SubnetLedger): void {
    this.#subnets.delete(id)
    for (const ip of ledger.noted) {
      const place = `${ledger.wire} ${ip}`
      const known = this.#notedIn.get(place)
      known?.delete(id)
      if (known?.size === 0) this.#notedIn.delete(place)
    }
  }

  #ipSetChanged(before: View | undefined, after: View | undefined): void {
    const [was, is] = [ipSetIn(before), ipSetIn(after)]
    const view = is ?? was
    if (view === undefined) return
    note(this.#ipSets, view, is !== undefined)
    if (was !== undefined && was.uid !== is?.uid) {
      this.#drop(was.key)
      const next = this.waiting.leave(was.key)
      if (next !== undefined) this.wake(next)
    }
    // What it has may be kept for it, or stay behind.
    if (was?.uid !== is?.uid) this.#touchAll(view.key)
    this.wake(view.key)
  }

  #reservationChanged(before: View | undefined, after: View | undefined): void {
    const [was, is] = [reservationIn(before), reservationIn(after)]
    const view = is ?? was
    if (view === undefined) return
    note(this.#reservations, view, is !== undefined)
    if (is === undefined) this.#unplace(view.key, [])
    else this.#place(is)
    if (this.#isPendingDone(view.key)) this.#drop(view.key)
    this.wake(view.key)
  }

  #place(reservation: Reservation | undefined): void {
    if (reservation === undefined) return
    const { key, namespace, entries } = reservation
    const after = entries.flatMap(({ network, address }) =>
      address === undefined
        ? []
        : this.wiresIn(namespace, network).map((wire) => ({ wire, address, key, network })),
    )
    for (const one of after) {
      this.#hold(one, { isReserved: true, network: one.network })
    }
    this.#unplace(key, after)
    this.#placed.set(key, after)
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
    const [was, is] = [before, after].map((view) =>
      view?.kind === 'AddressBlock' ? claimsOf(view) : [],
    )
    for (const { whose, holder } of is ?? [])
      this.#hold(whose, { claim: holder, network: holder.network })
    const places = placesOf((is ?? []).map(({ whose }) => whose))
    for (const { whose } of was ?? []) {
      if (places.has(placeOf(whose))) continue
      this.#release(whose, { claim: undefined })
      this.wake(whose.key)
    }
    const view = after ?? before
    if (view?.kind === 'AddressBlock') this.#parts.touched(view.name)
  }

  #hold(whose: Whose & { network?: string }, said: Parameters<HeldAddresses['set']>[1]): void {
    const { wire, address, key } = whose
    this.held.set({ wire, address, key }, said)
    this.#parts.touched(blockName(wire, address))
  }

  #release(whose: Whose, said: Parameters<HeldAddresses['unset']>[1]): void {
    const { wire, address } = whose
    this.#parts.touched(blockName(wire, address))
    if (!this.held.unset(whose, said)) return
    for (const key of this.waiting.onAddress(address)) this.wake(key)
    const place = `${wire} ${address}`
    const noted = this.#notedIn.get(place) ?? []
    this.#notedIn.delete(place)
    for (const id of noted) if (this.#subnets.get(id)?.release(address) === true) this.#offer(id)
  }

  #touchAll(key: string): void {
    for (const { wire, address } of this.held.of(key)) this.#parts.touched(blockName(wire, address))
  }

  /** One address serves one: the next is asked only if something is left by then. */
  #offer(id: string, last?: Waiter): void {
    const next = this.waiting.nextOnPool(id, last)
    if (next === undefined) return
    this.queue.ask(id, next, () => {
      if (this.#subnets.get(id)?.isFull !== false) return false
      this.#offer(id, next)
      return this.waiting.has(next.key)
    })
  }
}

type Plan = {
  readonly wire: string
  /** Where a network may have been that it does not have. */
  readonly wires: readonly string[]
  /** In lower case. */
  readonly networks: ReadonlySet<string>
}

const planOf = (config: NetConfig): Plan => ({
  wire: wireOf(config),
  wires: [...new Set([ownWire(config.namespace), wireOf(config)])],
  networks: new Set(config.networks.map(({ name }) => name.toLowerCase())),
})

const placeOf = ({ wire, address, key }: Whose): string => `${wire} ${address} ${key}`

const placesOf = (all: readonly Whose[]): ReadonlySet<string> => new Set(all.map(placeOf))

const ageOf = ({ createdAt, name }: NetConfig): string => `${createdAt} ${name}`

const ipSetIn = (view: View | undefined): IpSet | undefined =>
  view?.kind === 'IPSet' ? view : undefined

const reservationIn = (view: View | undefined): Reservation | undefined =>
  view?.kind === 'Reservation' ? view : undefined

const claimsOf = ({ wire, holders }: AddressBlock) =>
  holders.map((holder) => ({
    holder,
    whose: { wire, address: holder.address, key: keyOfBlockHolder(holder) },
  }))

/** The oldest first, whoever has something already. */
const waiterOf = ({ key, createdAt }: IpSet): Waiter => ({
  key,
  createdAt,
  holds: false,
  group: '',
})

const waitFor = ({ subnets, addresses }: NodeWait): Wait => {
  const lineKey = [...subnets, ...addresses].join(' ')
  return { requestKey: lineKey, lineKey, pools: subnets, addresses, tenant: '' }
}

function note(
  index: Map<string, Set<string>>,
  { namespace, key }: { readonly namespace: string; readonly key: string },
  isThere: boolean,
): void {
  const known = index.get(namespace) ?? new Set()
  if (isThere) known.add(key)
  else known.delete(key)
  if (known.size === 0) index.delete(namespace)
  else index.set(namespace, known)
}
