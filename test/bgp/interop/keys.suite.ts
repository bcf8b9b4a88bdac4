// Do routers of all kinds and we understand each other only with one key? A wrong one, the right one, and one that
// is changed while the session is up, on our side first. What nobody answers is told with its likely causes.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { kindOf } from './kinds.ts'
import type { Router } from './router.ts'
import { type Berth, places, rootOf, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const route: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const further: Route = { ...route, prefix: '10.80.0.2/32' }
const spec = {
  ...{ myASN: 64512, peerASN: 64513, peerAddress: places.router.four, password: 'x' },
  ...{ holdTime: '9s', connectTime: '1s' },
}
const patienceMs = 60_000

describe.each(Object.entries(inject('routers')))('%s', (name, root) => {
  let [its, berth, router]: [Stand, Berth, Router] = [] as never
  const session = async () => (await berth.seen()).sessions[0]
  const isUp = async () => ((await session())?.state === 'Established' ? true : undefined)
  const opens = async () => (await session())?.counts.sent['OPEN'] ?? 0
  const has = (prefix: string) => until(prefix, () => router.paths(prefix)[0], patienceMs)
  beforeAll(async () => {
    its = await stand(`ke${name.replace('.', '')}`, { under: rootOf(root) })
    router = await kindOf(name)(its, root)
    berth = its.berth()
  })
  afterAll(() => its.clear())

  test('a wrong key is silence: the status names key and TTL, and never the key', async () => {
    berth.order({ kind: 'key', key: 'mistaken' })
    berth.order({ kind: 'peers', specs: { tor: spec } })
    berth.routes([route])
    const said = 'no answer, as from a router that expects another password or TTL'
    await until(said, async () => ((await session())?.lastError.includes(said) ? true : undefined))
    expect(await opens()).toBe(0)
    expect(JSON.stringify(await berth.seen())).not.toContain('mistaken')
  })

  test('the right key opens the session', async () => {
    berth.order({ kind: 'key', key: 'interop' })
    await until('a session', isUp, patienceMs)
    await has(route.prefix)
  })

  test('[R8.9] each of them ends the session when its key changes, and has it back with ours', async () => {
    const before = await opens()
    berth.order({ kind: 'key', key: 'changed' })
    await sleep(1_000)
    router.rekey('changed')
    await until(
      'another session',
      async () => ((await opens()) > before ? isUp() : undefined),
      patienceMs,
    )
    berth.routes([further])
    await has(route.prefix)
    await has(further.prefix)
    expect(wireFaults(await its.record())).toEqual([])
  })
})
