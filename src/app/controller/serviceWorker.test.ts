// Proves what becomes of a decision whose writes hit a mistake of ours: it is parked, and no more.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ip, pool, service, worldOf } from '../../../test/build/announcing.ts'
import { Bug } from '../../core/model/bug.ts'
import { WritePace } from '../../edge/kube/write/writePace.ts'
import { ServiceWorker } from './serviceWorker.ts'

/** Every claim meets a Bug; answers which were tried. */
function stand() {
  const world = worldOf(pool('p', ['10.0.0.0/30']), service('web', []))
  const tried: string[] = []
  const worker = new ServiceWorker({
    world,
    records: {
      async claim(address) {
        tried.push(address)
        await turn()
        throw new Bug('ours')
      },
      record: async () => undefined,
      writeService: async () => undefined,
      readAgain: async () => undefined,
    },
    pace: new WritePace(() => 0),
    mayWrite: () => true,
    signal: new AbortController().signal,
    sleep: async () => undefined,
    say: () => undefined,
    failed: () => undefined,
    decided: () => undefined,
  })
  const settle = async () => {
    worker.pump()
    for (let times = 0; times < 20; times++) await turn()
  }
  return { world, tried, settle }
}

test('[P6] a Service whose claim meets a Bug is tried again once it changes, not before', async () => {
  const { world, tried, settle } = stand()
  await settle()
  expect(tried).toEqual(['10.0.0.0'])
  world.apply({ type: 'upsert', view: service('web', [], { resourceVersion: '2' }) })
  await settle()
  const { length } = tried
  expect(length).toBeGreaterThan(1)
  await settle()
  expect(tried).toHaveLength(length)
})

test('[P2] what another leader gave it meanwhile counts, not what it was parked with', async () => {
  const { world, settle } = stand()
  await settle()
  world.apply({ type: 'upsert', view: service('web', ['10.0.0.1'], { resourceVersion: '2' }) })
  await settle()
  expect(world.holdingOf('default/web')?.ips).toEqual([ip('10.0.0.1')])
})
