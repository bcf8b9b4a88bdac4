// Events that are deleted and never go, because of a finalizer. The attacker holds a token of the
// embedded API for a namespace. Afterwards: the Events of others expire.
// Before: 200 of them came first each time, and no other Event of any namespace expired.
import { expect, test } from 'vitest'
import { newFolder } from '../build/newFolder.ts'
import { WritesStand } from '../build/writesStand.ts'

const events = '/api/v1/namespaces/default/events'
const involvedObject = { kind: 'Service', namespace: 'default', name: 'web' }

test('the Events of others expire', async () => {
  let nowMs = Date.parse('2026-01-02T03:00:00Z')
  const [folder, now] = [newFolder(), () => new Date(nowMs)]
  const first = await WritesStand.start({ folder, now })
  for (let at = 0; at < 201; at += 1) {
    const metadata = { name: `held-${at}`, finalizers: ['berth.dev/x'] }
    await first.create(events, { metadata, involvedObject })
    await first.remove(`${events}/held-${at}`)
  }
  nowMs += 60_000
  await first.create(events, { metadata: { name: 'of-others' }, involvedObject })
  await first.stop()
  nowMs += 2 * 3_600_000
  const second = await WritesStand.start({ folder, now })
  await second.writes.settled()
  expect((await second.get(`${events}/of-others`)).code).toBe(404)
  expect((await second.get(`${events}/held-0`)).code).toBe(200)
})
