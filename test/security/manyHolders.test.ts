// Thousands of Services that ask for one address, which thousands of others share. The attacker may make Services in
// its namespace, and waits until a pool changes. Afterwards: each holder is looked at a few times.
// Before: each who asked had all holders sorted: with 8,000 of both, that held up the controller for 20 s.
import { expect, test } from 'vitest'
import type { Claim, ReadonlySlot } from '../../src/core/model/slot.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { mayJoin } from '../../src/core/policy/share.ts'

const count = 2_000
const claimOf = (name: string, sharingKey: string): Claim => ({
  ...{ key: `alpha/${name}`, createdAt: '', ports: [name], sharingKey, backend: '', tenant: '' },
})

test('[R3.11] who has it is told by the first of them by name', () => {
  let looks = 0
  // In no order: each name differs from the one before it at its beginning.
  const holders = Array.from({ length: count }, (_, at) => {
    const { key, ...claim } = claimOf(`s${(at * 7_919) % count}`, 'key')
    return Object.defineProperty(claim, 'key', {
      get: () => {
        looks += 1
        return key
      },
    }) as Claim
  })
  const slot = {
    ...{ ip: '10.0.0.1' as Ip, group: 'key', isMixed: false, ports: new Map() },
    holders: { size: count, has: () => false, values: () => holders },
  } as unknown as ReadonlySlot
  const verdict = mayJoin(slot, claimOf('x', 'other'))
  expect(verdict).toMatchObject({ ok: false, reason: 'sharing-key-differs' })
  expect(verdict.ok ? '' : verdict.message).toContain('alpha/s0 ')
  expect(looks).toBeLessThan(4 * count)
})
