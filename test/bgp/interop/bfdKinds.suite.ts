// Does BFD come up with routers of all kinds that have it, and end a session at once? The hold time is 90 s.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { kindOf } from './kinds.ts'
import { calmBfd, type Router } from './router.ts'
import { type Berth, places, rootOf, type Stand, stand } from './stand.ts'
import { shown, wireFaults } from './wireFaults.ts'

const able = Object.entries(inject('routers')).filter(([name]) => /^(frr|bird|gobgp)/.test(name))
const route: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const spec = {
  ...{ myASN: 64512, peerASN: 64513, peerAddress: places.router.four, password: 'x' },
  ...{ holdTime: '90s', connectTime: '1s', bfdProfile: 'calm' },
}
const patienceMs = 60_000

describe.each(able)('%s', (name, root) => {
  let [its, berth, router]: [Stand, Berth, Router] = [] as never
  const session = async () => (await berth.seen()).sessions[0]
  const untilUp = async () => {
    const isUp = async () => {
      const { state, bfd } = (await session()) ?? {}
      return state === 'Established' && bfd === 'Up' ? true : undefined
    }
    await until('BGP and BFD are up here', isUp, patienceMs)
    await until('BFD is up there', () => (router.hasBfdUp?.() ? true : undefined), patienceMs)
    await until('the route', () => router.paths(route.prefix)[0])
  }
  beforeAll(async () => {
    its = await stand(`bf${name.replace('.', '')}`, { under: rootOf(root) })
    router = await kindOf(name)(its, root, { hasBfd: true })
    berth = its.berth()
    berth.order({ kind: 'key', key: 'interop' })
    berth.order({ kind: 'peers', specs: { tor: spec }, profile: calmBfd })
    berth.routes([route])
    await untilUp()
  })
  afterAll(() => its.clear())

  test('[R8.11] a router that falls silent is given up by BFD, and back once it is heard', async () => {
    its.silence('router', true)
    try {
      const said = 'Cease/BFD Down (6/10): nothing heard for 1500 ms'
      await until(said, async () =>
        (await session())?.lastError.includes(said) ? true : undefined,
      )
    } finally {
      its.silence('router', false)
    }
    await untilUp()
  })

  test('[R8.11] a node that falls silent leaves the table by BFD, and comes back', async () => {
    its.silence('node', true)
    try {
      // Far below the hold time.
      await until('no route', () => (router.paths(route.prefix).length === 0 ? true : undefined))
      await until('BFD is down there', () => (router.hasBfdUp?.() === false ? true : undefined))
    } finally {
      its.silence('node', false)
    }
    await untilUp()
  })

  test('nothing that was sent was malformed', async () => {
    const capture = await its.record()
    expect(shown(capture, 'bfd')).not.toBe('')
    expect(wireFaults(capture)).toEqual([])
  })
})
