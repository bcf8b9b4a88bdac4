// Do routers of all kinds read what we write, and do we read them? One session each, with a key, and
// both families: each route exactly, many at once, asked for once more, and an end with words. What
// went over the wire is then read by tshark.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { kindOf } from './kinds.ts'
import type { Router } from './router.ts'
import { type Berth, places, rootOf, type Stand, stand } from './stand.ts'
import { shown, wireFaults } from './wireFaults.ts'

const plain: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const rich: Route = {
  ...{ prefix: '10.80.1.0/24', localPref: undefined, med: 50, prepend: 2, endpoints: 3 },
  communities: ['64513:42', 'large:64513:1:2'],
}
const six: Route = { ...plain, prefix: 'fd80::1/128' }
const many: readonly Route[] = Array.from({ length: 10_000 }, (_, at) => ({
  ...plain,
  prefix: `10.81.${at >> 8}.${at & 255}/32`,
}))

describe.each(Object.entries(inject('routers')))('%s', (name, root) => {
  let [its, berth, router]: [Stand, Berth, Router] = [] as never
  const session = async () => (await berth.seen()).sessions[0]
  const isUp = async () => ((await session())?.state === 'Established' ? true : undefined)
  const has = (prefix: string) => until(prefix, () => router.paths(prefix)[0])
  beforeAll(async () => {
    its = await stand(name.replace('.', ''), { under: rootOf(root) })
    router = await kindOf(name)(its, root)
    berth = its.berth()
    berth.order({ kind: 'key', key: 'interop' })
    const spec = {
      myASN: 64512,
      peerASN: 64513,
      peerAddress: places.router.four,
      connectTime: '1s',
    }
    berth.order({ kind: 'peers', specs: { tor: { ...spec, dualStackAddressFamily: true } } })
    berth.routes([plain, rich, six])
    await until('a session', isUp)
  })
  afterAll(() => its.clear())

  test('[R8.8] each route has exactly the attributes that were asked for', async () => {
    const usual = { origin: 'IGP', asPath: '64512', med: 0, localPref: undefined, communities: [] }
    expect(await has(plain.prefix)).toEqual({ ...usual, nextHop: places.node.four })
    // ExaBGP names the second one, of the link.
    const ownSix = name.startsWith('exabgp') ? expect.stringMatching(/^fe80::/) : places.node.six
    expect(await has(six.prefix)).toEqual({ ...usual, nextHop: ownSix })
    expect(await has(rich.prefix)).toEqual({
      ...{ ...usual, nextHop: places.node.four, asPath: '64512 64512 64512', med: 50 },
      communities: ['64513:42', '64513:1:2'],
    })
  })

  test('ten thousand come, are asked for once more, and go', async () => {
    berth.routes(many)
    const all = many.length + 2
    await until('all of them', () => (router.count() === all ? true : undefined))
    if (router.refresh !== undefined) {
      const before = (await session())?.counts.sent['UPDATE'] ?? 0
      router.refresh()
      await until('they are sent again', async () =>
        ((await session())?.counts.sent['UPDATE'] ?? 0) > before ? true : undefined,
      )
      expect(router.count()).toBe(all)
    }
    berth.routes([], many)
    await until('few again', () => (router.count() === 2 ? true : undefined))
    expect(await isUp()).toBe(true)
  })

  test('[R8.9] the end comes with words, and nothing was malformed', async () => {
    await berth.leave('moving to rack 4')
    // ExaBGP 4.2 cannot put a NOTIFICATION into words.
    if (!name.startsWith('exabgp')) {
      await until('words', () => (/shutdown/i.test(router.lastWords()) ? true : undefined))
    }
    const capture = await its.record()
    expect(wireFaults(capture)).toEqual([])
    expect(shown(capture, 'bgp.type == 2')).not.toBe('')
    expect(shown(capture, 'bgp.notify.communication_length > 0')).not.toBe('')
  })
})
