// Does a session live through another password? With Berth on both sides, which sets it on the live connection, it
// does.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { startFrr } from './frr.ts'
import { type Berth, places, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const isHere = 'frr-8.4' in inject('routers')
const { node, router } = places
const route: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const further = { ...route, prefix: '10.80.0.2/32' }
const spec = { peerASN: 64513, myASN: 64512, peerAddress: router.four, password: 'x' }

let its: Stand
const session = async (berth: Berth) => (await berth.seen()).sessions[0]
const isUp = async (berth: Berth) =>
  (await session(berth))?.state === 'Established' ? true : undefined
/** UPDATEs that came, without those that end a family. */
const heard = async (berth: Berth) => (await session(berth))?.counts.received['UPDATE'] ?? 0

describe.skipIf(!isHere)('a new password', () => {
  afterEach(() => its.clear())

  test('[R8.9] is set on the live connection, and the session stays', async () => {
    its = await stand('keys')
    const [one, other] = [its.berth(), its.berth('router')]
    for (const berth of [one, other]) berth.order({ kind: 'key', key: 'before' })
    other.order({ kind: 'listen', port: 179 })
    const back = { ...spec, peerASN: 64512, myASN: 64513, peerAddress: node.four }
    const annotations = { 'berth.dev/passive': 'true' }
    const hold = { holdTime: '9s' }
    other.order({ kind: 'peers', specs: { node: { ...back, ...hold } }, annotations })
    one.order({ kind: 'peers', specs: { tor: { ...spec, ...hold, connectTime: '1s' } } })
    one.routes([route])
    await until('a session', () => isUp(one))
    await until('the route', async () => ((await heard(other)) > 0 ? true : undefined))
    const before = await session(one)
    one.order({ kind: 'key', key: 'after' })
    // For a while they do not understand each other.
    await sleep(2_000)
    other.order({ kind: 'key', key: 'after' })
    const count = await heard(other)
    one.routes([further])
    await until('another route', async () => ((await heard(other)) > count ? true : undefined))
    // Longer than the hold time since the change.
    await sleep(9_000)
    const after = await session(one)
    expect(after).toMatchObject({ state: 'Established', lastError: '' })
    expect(after?.counts.sent['OPEN']).toBe(before?.counts.sent['OPEN'])
    expect(wireFaults(await its.record())).toEqual([])
  })

  test('[R8.9] that FRR gets too brings the session back', async () => {
    its = await stand('keysfrr')
    const frr = await startFrr(its, '/')
    const berth = its.berth()
    berth.order({ kind: 'key', key: 'interop' })
    berth.order({ kind: 'peers', specs: { tor: { ...spec, holdTime: '9s', connectTime: '1s' } } })
    berth.routes([route])
    await until('a session', () => isUp(berth))
    const before = (await session(berth))?.counts.sent['OPEN'] ?? 0
    berth.order({ kind: 'key', key: 'after' })
    frr.rekey('after')
    await until('another session', async () => {
      const now = await session(berth)
      const isOther = (now?.counts.sent['OPEN'] ?? 0) > before
      return isOther && now?.state === 'Established' ? true : undefined
    })
    await until('the route', () => frr.paths(route.prefix)[0])
    expect(wireFaults(await its.record())).toEqual([])
  })
})
