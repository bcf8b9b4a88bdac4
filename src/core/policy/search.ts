// What is looked for, and what is found? A request in a World, on the terms it would be held under.
import type { Pool } from '../model/pool.ts'
import type { Claim } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import type { AddressRequest } from './addressRequest.ts'
import type { Trace } from './trace.ts'

export type Search = {
  readonly world: ReadonlyWorld
  readonly request: AddressRequest
  readonly claim: Claim
  /** Only where somebody listens: then every pool is asked, and every rule. */
  readonly trace: Trace | undefined
}
export type Offer = { readonly pool: Pool; readonly ips: readonly Ip[] }
