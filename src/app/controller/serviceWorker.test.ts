// Proves what becomes of a decision whose writes hit a mistake of ours: it is parked, and no more;
// and who is decided first.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { ip, pool, service, worldOf } from '../../../test/build/announcing.ts'
import { Bug } from '../../core/model/bug.ts'
import type { View } from '../../core/model/view.ts'
import { claimsAmong, coreDeciders } from '../../core/policy/deciders.ts'
import { WritePace } from '../../edge/kube/write/writePace.ts'
import { ServiceWorker } from './serviceWorker.ts'

type Stand = { readonly views?: readonly View[]; readonly claim?: () => Promise<void> }

async function meetsBug(): Promise<void> {
  await turn()
  throw new Bug('ours')
}
const isUnderway = () => new Promise<void>(() => undefined)

function stand({ views = [service('web', [])], claim = meetsBug }: Stand = {}) {
  const world = worldOf(pool('p', ['10.0.0.0/30']), ...views)
  const tried: string[] = []
  const slept: (() => void)[] = []
  const worker = new ServiceWorker({
    world,
    deciders: claimsAmong(coreDeciders),
    records: {
      async claim(address, { name }) {
        tried.push(`${name} ${address}`)
        await claim()
      },
      record: async () => undefined,
      writeService: async () => undefined,
      readAgain: async () => undefined,
    },
    pace: new WritePace(() => 0),
    mayWrite: () => true,
    signal: new AbortController().signal,
    sleep: () => new Promise((wake) => slept.push(() => wake())),
    say: () => undefined,
    failed: () => undefined,
    decided: () => undefined,
  })
  const settle = async () => {
    worker.pump()
    for (let times = 0; times < 20; times++) await turn()
  }
  return { world, tried, settle, slept }
}

test('[P6] a Service whose claim meets a Bug is tried again once it changes, not before', async () => {
  const { world, tried, settle } = stand()
  await settle()
  expect(tried).toEqual(['web 10.0.0.0'])
  world.apply({ type: 'upsert', view: service('web', [], { resourceVersion: '2' }) })
  await settle()
  await settle()
  expect(tried).toHaveLength(2)
})

test('[P2] what another leader gave it meanwhile counts, not what it was parked with', async () => {
  const { world, settle } = stand()
  await settle()
  world.apply({ type: 'upsert', view: service('web', ['10.0.0.1'], { resourceVersion: '2' }) })
  await settle()
  expect(world.holdingOf('default/web')?.ips).toEqual([ip('10.0.0.1')])
})

describe('[R3.16] while the deletion of a pool is not noted', () => {
  const older = service('older', ['192.0.2.9'], { recordedPool: 'old', createdAt: '2026-01-01' })
  const record = addressRecord('192.0.2.9', { pool: 'old', holders: [holderOf(older)] })
  const younger = service('younger', [], { createdAt: '2026-01-02' })

  async function deleted() {
    const views = [pool('old', ['192.0.2.0/24'], { autoAssign: false }), older, record]
    const stood = stand({ views, claim: isUnderway })
    await stood.settle()
    stood.tried.length = 0
    stood.world.apply({ type: 'delete', kind: 'IPAddressPool', key: 'old' })
    stood.world.apply({ type: 'upsert', view: younger })
    await stood.settle()
    return stood
  }

  test('nobody who waits gets anything; then whoever loses an address comes first', async () => {
    const { world, tried, settle } = await deleted()
    expect(tried).toEqual([])
    world.apply({ type: 'upsert', view: { kind: 'ReleasedPool', name: 'old' } })
    await settle()
    expect(tried).toEqual(['older 10.0.0.0', 'younger 10.0.0.1'])
  })

  test('those that wait go on after a while, and holders keep what they have', async () => {
    const { world, tried, settle, slept } = await deleted()
    expect(slept).toHaveLength(1)
    for (const wake of slept) wake()
    await settle()
    expect(tried).toEqual(['younger 10.0.0.0'])
    expect(world.holdingOf(older.key)?.ips).toEqual([ip('192.0.2.9')])
  })
})
