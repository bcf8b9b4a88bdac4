// How do decisions become writes? Made one by one in order, written many at a time: an address
// counts as held from the moment it is decided; what the API refuses is taken back and decided again.
import type { Key } from '../../core/model/service.ts'
import type { World } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import { decideAddress } from '../../core/policy/decideAddress.ts'
import { type Decision, decideService } from '../../core/policy/decideService.ts'
import { type Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import type { Records } from './records.ts'

export type Said = { readonly service: Key; readonly events: Decision['events'] }

export type TurnParts = {
  readonly world: World
  readonly records: Records
  /** False past the renew deadline: then nothing more is written. */
  readonly mayWrite: () => boolean
  readonly say: (said: Said) => void
  readonly failed: (key: string, fault: Fault) => void
}

const atOnce = 32

export class ServiceTurns {
  readonly #parts: TurnParts
  readonly #inFlight = new Map<Key, readonly Ip[]>()
  readonly #again = new Set<Key>()
  readonly #busy = new Set<Ip>()
  readonly #sweeping = new Set<Ip>()

  constructor(parts: TurnParts) {
    this.#parts = parts
  }

  get isQuiet(): boolean {
    const { turn, dirty } = this.#parts.world
    return this.#inFlight.size + this.#sweeping.size + turn.size + dirty.addresses.size === 0
  }

  /** Decides all whose turn it is, as far as writes can go out. */
  pump(): void {
    const { world, mayWrite } = this.#parts
    while (mayWrite() && this.#inFlight.size < atOnce) {
      const key = world.turn.pop()
      if (key === undefined) break
      if (this.#inFlight.has(key)) this.#again.add(key)
      else this.#take(key)
    }
    this.#sweep()
  }

  #take(key: Key): void {
    const { world, say } = this.#parts
    const before = world.holdingOf(key)?.ips ?? []
    const decision = decideService(world, key)
    world.apply({ type: 'intent', intent: decision.intent })
    const { ips } = decision.intent
    const claims = ips.filter((ip) => decideAddress(world, ip)?.type === 'put')
    if (decision.events.length > 0) say({ service: key, events: decision.events })
    if (claims.length === 0 && decision.write === undefined) return
    const touched = [...new Set([...before, ...ips])]
    this.#inFlight.set(key, touched)
    for (const ip of touched) this.#busy.add(ip)
    void this.#carryOut(key, touched, () => this.#write(key, decision, claims))
  }

  /** The one place where a failed write is met. */
  async #carryOut(key: Key, touched: readonly Ip[], write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      await this.#takeBack(key, touched, faultFrom(error, `Service ${key}`))
    }
    this.#done(key, touched)
  }

  /** First the claim, then the status that shows it (R3.12). */
  async #write(key: Key, { write }: Decision, claims: readonly Ip[]): Promise<void> {
    const { world, records } = this.#parts
    for (const ip of claims) await records.writeAddress(ip)
    const view = world.services.get(key)
    if (write !== undefined && view !== undefined) await records.writeService(view, write)
  }

  #done(key: Key, touched: readonly Ip[]): void {
    this.#inFlight.delete(key)
    for (const ip of touched) this.#busy.delete(ip)
    if (this.#again.delete(key)) this.#parts.world.wake(key)
    this.pump()
  }

  /** Back to what the Service shows, to be decided again from what is there now. */
  async #takeBack(key: Key, touched: readonly Ip[], fault: Fault): Promise<void> {
    const { world, records, failed } = this.#parts
    failed(key, fault)
    await records.readAgain(key, touched, fault)
    const ips = world.services.get(key)?.ingress ?? []
    world.apply({ type: 'intent', intent: { service: key, ips, wait: undefined } })
    world.wake(key)
  }

  /** Records of addresses that nobody is writing for a Service: the last holder left, or an edit. */
  #sweep(): void {
    const { world, mayWrite } = this.#parts
    for (const ip of [...world.dirty.addresses].sort()) {
      if (!mayWrite() || this.#sweeping.size >= atOnce) return
      if (this.#busy.has(ip) || this.#sweeping.has(ip)) continue
      world.dirty.addresses.delete(ip)
      if (decideAddress(world, ip) === undefined) continue
      this.#sweeping.add(ip)
      void this.#recordAgain(ip)
    }
  }

  async #recordAgain(ip: Ip): Promise<void> {
    const { world, records, failed } = this.#parts
    try {
      await records.writeAddress(ip)
    } catch (error) {
      const fault = faultFrom(error, `Address ${ip}`)
      failed(ip, fault)
      await records.readAgain(undefined, [ip], fault)
      world.dirty.addresses.add(ip)
    }
    this.#sweeping.delete(ip)
    this.pump()
  }
}
