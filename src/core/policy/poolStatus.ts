// How full is a pool (M1.1)? Different addresses in use, and what is left; too large a number is
// written as the largest that the field can hold.
import type { Pool, PoolStatus } from '../model/pool.ts'
import type { ReadonlyWorld } from '../model/world.ts'

const int64Max = 2n ** 63n - 1n

export function poolStatus(world: ReadonlyWorld, pool: Pool): PoolStatus {
  const ledger = world.ledgerOf(pool)
  const capacity = (family: 'IPv4' | 'IPv6') => ledger?.capacity(family) ?? 0n
  const assignedIPv4 = BigInt(ledger?.held('IPv4') ?? 0)
  const assignedIPv6 = BigInt(ledger?.held('IPv6') ?? 0)
  return {
    assignedIPv4,
    assignedIPv6,
    availableIPv4: atMost(capacity('IPv4') - assignedIPv4),
    availableIPv6: atMost(capacity('IPv6') - assignedIPv6),
  }
}

const atMost = (count: bigint): bigint => (count > int64Max ? int64Max : count)
