// How full is a pool (M1.1)? Different addresses in use, and what is left; too large a number is
// written as the largest that JSON carries exactly.
import type { Pool, PoolStatus } from '../model/pool.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Decider } from './decider.ts'

/** 2^63-1, the field's own limit, leaves JavaScript as 2^63, which the API server refuses. */
const most = BigInt(Number.MAX_SAFE_INTEGER)

export const poolStatuses: Decider = {
  name: 'pool-status',
  kind: 'IPAddressPool',
  keysAtOnce: 16,
  reads: ['IPAddressPool'],
  wakes: ({ key }) => [key],
  decide(world, name) {
    const pool = world.pools.get(name)
    const shown = world.all('IPAddressPool').get(name)
    if (pool === undefined || shown === undefined) return { writes: [] }
    const { namespace } = shown
    const counts = Object.entries(poolStatus(world, pool))
    const fields = Object.fromEntries(counts.map(([field, count]) => [field, Number(count)]))
    return { writes: [{ type: 'status', of: { kind: 'IPAddressPool', namespace, name }, fields }] }
  },
}

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

const atMost = (count: bigint): bigint => (count > most ? most : count)
