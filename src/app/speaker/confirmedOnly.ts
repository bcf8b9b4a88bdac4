// Which addresses may a speaker begin to announce? While a Berth controller gives them, those that
// an Address records for the Service. What it has begun stays until the Service lets go (R8.13).
import { type AddressView, type Holder, keyOfHolder } from '../../core/model/address.ts'
import type { ServiceView } from '../../core/model/service.ts'
import { keyOf } from '../../core/model/view.ts'
import type { World } from '../../core/model/world.ts'
import { nameOfAddress } from '../../core/net/addressName.ts'
import type { Sink } from '../../edge/kube/feed/validatedSink.ts'
import type { Unrecorded } from './status/withheld.ts'

type ConfirmedParts = {
  readonly world: Pick<World, 'services' | 'isOurs'>
  /** Where Services go, with the addresses that may be announced. */
  readonly sink: Sink
  readonly isNeeded: () => boolean
}

export class ConfirmedOnly {
  readonly #parts: ConfirmedParts
  /** UIDs of holders by name of the Address: nearly all have one, and a text is smaller. */
  readonly #holders = new Map<string, string | ReadonlySet<string>>()
  /** Services with an address that nobody has confirmed yet, by UID, as they are in the API. */
  readonly #withheld = new Map<string, ServiceView>()
  #hasBegun = false
  #wasNeeded = false

  constructor(parts: ConfirmedParts) {
    this.#parts = parts
  }

  /** Everything is listed. Until now nothing was announced, so nothing was held back either. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#wasNeeded = this.#parts.isNeeded()
    for (const view of [...this.#parts.world.services.values()]) {
      if (view.ingress.some((ip) => !this.#isConfirmed(view, ip))) this.#put(view, [])
    }
  }

  /** Confirmation may be needed from now on, or no longer. */
  lookAgain(): void {
    const isNeeded = this.#parts.isNeeded()
    if (!this.#hasBegun || isNeeded === this.#wasNeeded) return
    this.#wasNeeded = isNeeded
    for (const view of [...this.#withheld.values()]) this.#putService(view)
  }

  /** With what keeps each: the addresses that no Address records for it. */
  get withheld(): readonly Unrecorded[] {
    return [...this.#withheld.values()].map((service) => {
      const announced = this.#parts.world.services.get(service.key)?.ingress ?? []
      return { service, addresses: service.ingress.filter((ip) => !announced.includes(ip)) }
    })
  }

  readonly services: Sink = {
    has: (kind, key) => this.#parts.sink.has(kind, key),
    keys: (kind) => this.#parts.sink.keys(kind),
    put: (view) => {
      if (view.kind === 'Service' && this.#hasBegun) this.#putService(this.#shared(view))
      else this.#parts.sink.put(view.kind === 'Service' ? this.#shared(view) : view)
    },
    drop: (kind, key) => {
      this.#forget(key)
      this.#parts.sink.drop(kind, key)
    },
    lose: (kind, key) => {
      this.#forget(key)
      this.#parts.sink.lose(kind, key)
    },
    refuse: (unread) => {
      this.#forget(unread.key)
      this.#parts.sink.refuse(unread)
    },
  }

  readonly addresses: Sink = {
    has: (_, key) => this.#holders.has(key),
    keys: () => [...this.#holders.keys()],
    put: (view) => {
      if (view.kind === 'Address') this.#record(view)
    },
    drop: (_, key) => void this.#holders.delete(key),
    lose: (_, key) => void this.#holders.delete(key),
    refuse: ({ key }) => void this.#holders.delete(key),
  }

  #record(view: AddressView): void {
    const uids = view.holders.map((holder) => this.#uidOf(holder))
    const [first = '', ...others] = uids
    this.#holders.set(keyOf(view), others.length === 0 ? first : new Set(uids))
    if (!this.#hasBegun) return
    for (const uid of uids) {
      const service = this.#withheld.get(uid)
      if (service !== undefined) this.#putService(service)
    }
  }

  /** One text of each UID, whichever object comes first: with 10,000 that is half a megabyte. */
  #shared(view: ServiceView): ServiceView {
    const [ip] = view.ingress
    const uid = ip === undefined ? undefined : this.#holders.get(nameOfAddress(ip))
    return uid === view.uid ? { ...view, uid } : view
  }

  #uidOf(holder: Holder): string {
    const service = this.#parts.world.services.get(keyOfHolder(holder))
    return service?.uid === holder.uid ? service.uid : holder.uid
  }

  #putService(view: ServiceView): void {
    const before = this.#parts.world.services.get(view.key)
    if (before !== undefined && before.uid !== view.uid) this.#withheld.delete(before.uid)
    this.#put(view, before?.uid === view.uid ? before.ingress : [])
  }

  #put(view: ServiceView, announced: ServiceView['ingress']): void {
    const { world, sink } = this.#parts
    const ingress = view.ingress.filter(
      (ip) => announced.includes(ip) || this.#isConfirmed(view, ip),
    )
    const isWhole = ingress.length === view.ingress.length || !world.isOurs(view)
    if (isWhole) this.#withheld.delete(view.uid)
    else this.#withheld.set(view.uid, view)
    sink.put(isWhole ? view : { ...view, ingress })
  }

  #isConfirmed({ uid }: ServiceView, ip: ServiceView['ingress'][number]): boolean {
    if (!this.#parts.isNeeded()) return true
    const holders = this.#holders.get(nameOfAddress(ip))
    return typeof holders === 'string' ? holders === uid : holders?.has(uid) === true
  }

  #forget(key: string): void {
    const service = this.#parts.world.services.get(key)
    if (service !== undefined) this.#withheld.delete(service.uid)
  }
}
