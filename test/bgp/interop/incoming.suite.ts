// Can routers open the session? One that we only wait for, with a key; one that both sides open at the
// same time, again and again; GTSM; and a port that another program has.
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { type Frr, startFrr } from './frr.ts'
import { type Berth, places, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const isHere = 'frr-8.4' in inject('routers')
const route: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const { node, router } = places

/** The router dials: it has no `passive`. */
const dialling = (id: string, more: readonly string[] = []) => `frr defaults traditional
router bgp 64513
 bgp router-id ${id}
 no bgp ebgp-requires-policy
 timers bgp 3 9
 neighbor ${node.four} remote-as 64512
 neighbor ${node.four} timers connect 1
${more.map((line) => ` neighbor ${node.four} ${line}\n`).join('')}`

const spec = { myASN: 64512, peerASN: 64513, peerAddress: router.four, connectTime: '1s' }

let its: Stand
let berth: Berth
let frr: Frr
const session = async () => (await berth.seen()).sessions[0]
const isUp = async () => ((await session())?.state === 'Established' ? true : undefined)
const has = () => until('the route', () => frr.paths(route.prefix)[0])
const counts = () => {
  const shown = JSON.parse(frr.vtysh('show bgp summary json')) as {
    readonly ipv4Unicast?: { readonly peers: Record<string, { connectionsEstablished: number }> }
  }
  return shown.ipv4Unicast?.peers[node.four]?.connectionsEstablished ?? 0
}

describe.skipIf(!isHere)('routers connect', () => {
  afterEach(() => its.clear())

  async function begin(name: string, config: string, listen = 179): Promise<void> {
    its = await stand(`in${name}`)
    frr = await startFrr(its, '/', { config })
    berth = its.berth()
    if (listen !== 0) berth.order({ kind: 'listen', port: listen })
  }

  const malformed = async () => wireFaults(await its.record())

  test('[R8.20] a passive peer is waited for, with a key that may change', async () => {
    await begin('passive', dialling(router.four, ['password interop']))
    berth.order({ kind: 'key', key: 'interop' })
    const annotations = { 'berth.dev/passive': 'true' }
    berth.order({ kind: 'peers', specs: { tor: { ...spec, password: 'x' } }, annotations })
    berth.routes([route])
    await until('a session', isUp)
    expect(await session()).toMatchObject({ wasAccepted: true })
    expect(await has()).toMatchObject({ asPath: '64512', nextHop: node.four })
    // Another key on one side: the router cannot come in until it has the same.
    berth.order({ kind: 'key', key: 'other' })
    frr.vtysh(`clear bgp ${node.four}`)
    await until('it is gone', async () => ((await isUp()) ? undefined : true))
    const lines = ['configure terminal', 'router bgp 64513', `neighbor ${node.four} password other`]
    const commands = lines.flatMap((line) => ['-c', line])
    its.run('router', 'vtysh', '--vty_socket', its.folder, ...commands)
    await until('a session with the other key', isUp)
    expect(await malformed()).toEqual([])
  })

  test.each([
    { higher: 'the router', id: '10.77.0.200' },
    { higher: 'the node', id: '10.0.0.1' },
  ])('[R8.20] both dial, and one connection stays: $higher has the higher ID', async ({ id }) => {
    await begin(`both${id.at(-1)}`, dialling(id))
    berth.order({ kind: 'peers', specs: { tor: spec } })
    berth.routes([route])
    for (let round = 0; round < 3; round++) {
      await until('a session', isUp)
      await has()
      const before = counts()
      // Longer than both would need to dial again.
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      expect(await isUp()).toBe(true)
      expect(counts()).toBe(before)
      frr.vtysh(`clear bgp ${node.four}`)
      await until('it is another one', () => (counts() > before ? true : undefined))
    }
    expect(await malformed()).toEqual([])
  })

  test('[R8.20] where the port is taken, dialling goes on', async () => {
    await begin('taken', dialling(router.four, ['passive']), 0)
    const taking = `require('net').createServer().listen(1790, '0.0.0.0')`
    its.start('node', process.execPath, '-e', taking)
    await until('the port is taken', () =>
      its.run('node', 'ss', '-ltn').includes(':1790') ? true : undefined,
    )
    berth.order({ kind: 'listen', port: 1790 })
    berth.order({ kind: 'peers', specs: { tor: spec } })
    berth.routes([route])
    await until('a session', isUp)
    expect(await session()).toMatchObject({ wasAccepted: false })
    await until('words', async () =>
      (await berth.seen()).trouble?.includes('EADDRINUSE') ? true : undefined,
    )
  })

  test('[R8.21] GTSM on both sides, and no session where only the router lacks it', async () => {
    await begin('gtsm', dialling(router.four, ['passive', 'ttl-security hops 1']))
    const annotations = { 'berth.dev/gtsm': 'true' }
    berth.order({ kind: 'peers', specs: { tor: spec }, annotations })
    berth.routes([route])
    await until('a session', isUp)
    await has()
    const lines = [
      ...['configure terminal', 'router bgp 64513'],
      `no neighbor ${node.four} ttl-security hops 1`,
    ]
    its.run(
      'router',
      ...['vtysh', '--vty_socket', its.folder],
      ...lines.flatMap((line) => ['-c', line]),
    )
    frr.vtysh(`clear bgp ${node.four}`)
    // The router's packets now have TTL 1.
    await until('no session', async () => ((await isUp()) ? undefined : true))
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    expect(await isUp()).toBeUndefined()
  })

  test('[R8.21] a router that drops what we send for its TTL: the status names it', async () => {
    await begin('ttl', dialling(router.four, ['passive', 'ttl-security hops 1']))
    berth.order({ kind: 'peers', specs: { tor: spec } })
    await until('words', async () =>
      (await session())?.lastError.includes('TTL') === true ? true : undefined,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(await session())}`)
    })
    expect(await isUp()).toBeUndefined()
  })
})
