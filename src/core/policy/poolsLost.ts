// What is said of a lost pool (R3.14)? The same everywhere, with the two ways on.
import type { Problem } from '../model/problem.ts'
import { no, type Refusal } from '../model/reason.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { counted } from '../net/counted.ts'
import type { Ip } from '../net/ip.ts'

export const poolLost = (pool: string, ips: readonly Ip[]): Refusal =>
  no('pools-lost', `${isGone(pool)}: ${ips.join(' and ')} ${areKept(ips.length)}; ${waysOn(pool)}`)

export const poolsLost = ({ lost, ownNamespace }: ReadonlyWorld): Problem[] =>
  [...lost.all()].map(([pool, records]) => ({
    code: 'pools-lost',
    severity: 'error',
    object: `IPAddressPool/${ownNamespace}/${pool}`,
    message: `${isGone(pool)}: ${addresses(records.length)}; ${waysOn(pool)}`,
  }))

const addresses = (count: number): string =>
  `${counted(count, 'address', 'addresses')} ${areKept(count)}`

const areKept = (count: number): string => `${count === 1 ? 'is' : 'are'} kept`

const isGone = (pool: string): string => `pool ${pool} is gone, and its deletion was not seen`

const waysOn = (pool: string): string => `bring the pool back, or run berth release pool ${pool}`
