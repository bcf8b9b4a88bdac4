import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hostLink } from '../../../../test/build/hostLink.ts'
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'
import { type KeyRing, parseKeys } from '../../../edge/host/sealingKey.ts'
import type { Discovery } from './discovery.ts'
import { type Members, type MembersOptions, startMembers } from './members.ts'

function ip(text: string): Ip {
  const address = parseIp(text)
  if (!address.ok) throw new Error(address.why)
  return address.value
}
function ring(...texts: readonly string[]): KeyRing {
  const keys = parseKeys(texts.map((text) => text.padEnd(16, '.')).join('\n'))
  if (!keys.ok) throw new Error(keys.why)
  return keys.value
}

const running = new Set<Members>()
afterEach(async () => {
  await Promise.all([...running].map((members) => members.stop()))
  running.clear()
})

const at = (address: Ip, port = 0): Endpoint => ({ address, port })
const home = ip('127.0.0.1')
const nothing = () => undefined
const still = { receive: () => true, pause: nothing, resume: nothing }

const link = hostLink(1, 'eth0')

/** They find each other through the first, which knows nobody. */
async function start(
  node: string,
  seeds: readonly Endpoint[],
  given: Partial<MembersOptions> = {},
) {
  const discovery: Discovery = async (found) => found({ seeds, expected: ['a', 'b', 'c'] })
  const members = await startMembers({
    node,
    bind: [at(home)],
    endpoint: at(home),
    keys: ring('secret'),
    discovery,
    // A machine that runs many tests at once stalls: that must not be a death.
    timing: { beatMs: 20, timeoutMs: 400 },
    changed: () => undefined,
    extend: () => undefined,
    log: () => undefined,
    ...given,
  })
  running.add(members)
  members.setOwn({ isReady: true, hasApi: true, links: [] })
  return members
}

async function stop(members: Members) {
  running.delete(members)
  await members.stop()
}

const placeOf = (members: Members, address = home) => at(address, members.port ?? 0)
const liveAt = (members: Members) => [...members.speakers.live].sort()

async function three(given: Partial<MembersOptions> = {}) {
  const a = await start('a', [], given)
  const b = await start('b', [placeOf(a)], given)
  const c = await start('c', [placeOf(a)], given)
  await vi.waitFor(() => {
    for (const one of [a, b, c]) expect(liveAt(one)).toEqual(['a', 'b', 'c'])
  })
  return { a, b, c }
}

describe('three speakers', () => {
  test('find each other through one of them, and are settled once all are seen', async () => {
    const { a, b, c } = await three()
    expect([a, b, c].map(({ isSettled }) => isSettled)).toEqual([true, true, true])
    expect([...a.speakers.expected]).toEqual(['a', 'b', 'c'])
    expect(b.describe()).toMatchObject(
      ['a', 'b', 'c'].map((node) => ({ node, state: 'alive', isReady: true, hasApi: true })),
    )
  })

  test('the others see one that stops dead, and see it again when it is back', async () => {
    const { a, b, c } = await three()
    await stop(c)
    await vi.waitFor(() => {
      for (const one of [a, b]) expect(liveAt(one)).toEqual(['a', 'b'])
    }, 5000)
    expect(a.hasLeft('c')).toBe(false)
    expect(a.counts.deaths).toBe(1)
    const again = await start('c', [placeOf(a)])
    await vi.waitFor(() => {
      for (const one of [a, b, again]) expect(liveAt(one)).toEqual(['a', 'b', 'c'])
    }, 5000)
  })

  test('one that leaves is no candidate at once, and did so by itself', async () => {
    const { a, b, c } = await three()
    await c.leave()
    expect(liveAt(a)).toEqual(['a', 'b'])
    expect(liveAt(b)).toEqual(['a', 'b'])
    expect(a.hasLeft('c')).toBe(true)
    expect(a.speakers.seen?.has('c')).toBe(true)
  })

  test('[R8.2] readiness and contact to the API are told', async () => {
    const { a, b, c } = await three()
    c.setOwn({ isReady: false, hasApi: true, links: [] })
    await vi.waitFor(() => expect(liveAt(a)).toEqual(['a', 'b']))
    b.setOwn({ isReady: true, hasApi: false, links: [] })
    const contactOfB = () => a.describe().find(({ node }) => node === 'b')?.hasApi
    await vi.waitFor(() => expect(contactOfB()).toBe(false))
  })
})

test('of two processes of one node the one that was started later speaks for it', async () => {
  const logged: unknown[] = []
  const { a, c: old } = await three({ log: (entry) => logged.push(entry['message']) })
  const later = await start('c', [placeOf(a)])
  await vi.waitFor(() => expect(liveAt(old)).toEqual(['a', 'b']), 5000)
  await vi.waitFor(() => expect(liveAt(later)).toEqual(['a', 'b', 'c']), 5000)
  expect(liveAt(a)).toEqual(['a', 'b', 'c'])
  expect([old.isSuperseded, old.isSettled]).toEqual([true, false])
  expect(old.problem).toMatch(/^another speaker of this node/)
  expect(logged).toContain(old.problem)
  await stop(later)
  await vi.waitFor(() => expect(liveAt(old)).toEqual(['a', 'b', 'c']), 10_000)
  expect([old.isSuperseded, old.problem]).toEqual([false, undefined])
})

test('one with another key is not heard, nor are bad bytes; both are counted', async () => {
  const { a, b, c } = await three()
  const stranger = await start('d', [placeOf(a)], { keys: ring('another') })
  const noise = createSocket('udp4')
  for (let count = 0; count < 2000; count++) {
    const bytes = new Uint8Array(count % 300).map(() => Math.floor(Math.random() * 256))
    if (count % 3 === 0) bytes.set([0x42, 0x65, 1, 0].slice(0, bytes.length))
    noise.send(bytes, a.port ?? 0, home)
  }
  await vi.waitFor(() => {
    expect(a.counts.wrongKey).toBeGreaterThan(0)
    expect(a.counts.malformed).toBeGreaterThan(0)
  })
  noise.close()
  expect(liveAt(stranger)).toEqual(['d'])
  for (const one of [a, b, c]) expect(liveAt(one)).toEqual(['a', 'b', 'c'])
  expect(a.counts).toMatchObject({ deaths: 0, accusations: 0 })
})

test('keys are rotated while they speak, and nobody is missed', async () => {
  const { a, b, c } = await three()
  for (const keys of [ring('secret', 'next'), ring('next', 'secret'), ring('next')]) {
    for (const one of [a, b, c]) {
      const heard = a.counts.beatsHeard
      one.use(keys)
      await vi.waitFor(() => expect(a.counts.beatsHeard).toBeGreaterThan(heard + 4))
    }
  }
  for (const one of [a, b, c]) {
    expect(liveAt(one)).toEqual(['a', 'b', 'c'])
    expect(one.counts).toMatchObject({ accusations: 0, wrongKey: 0 })
  }
})

test('IPv6', async () => {
  const six = ip('::1')
  const given = { bind: [at(six)], endpoint: at(six) }
  const a = await start('a', [], given)
  const b = await start('b', [placeOf(a, six)], given)
  await vi.waitFor(() => expect(liveAt(b)).toEqual(['a', 'b']))
})

test('every tick vouches for this process a little further', async () => {
  const until: number[] = []
  const a = await start('a', [], { extend: (untilMs) => until.push(untilMs) })
  await vi.waitFor(() => expect(until.length).toBeGreaterThan(3))
  expect(until).toEqual([...until].sort((one, other) => one - other))
  await stop(a)
})

test('it vouches on while it hears the others, and once it knows that they are dead', async () => {
  const until: number[] = []
  const a = await start('a', [], { extend: (untilMs) => until.push(untilMs) })
  const b = await start('b', [placeOf(a)])
  await vi.waitFor(() => expect(liveAt(a)).toEqual(['a', 'b']), 5000)
  const goesOn = async () => {
    const before = until.length
    await vi.waitFor(() => expect(until.length).toBeGreaterThan(before + 3), 5000)
  }
  await goesOn()
  await stop(b)
  await vi.waitFor(() => expect(liveAt(a)).toEqual(['a']), 5000)
  await goesOn()
})

test('[R8.3] where the list has endpoints only, whoever speaks from there is expected', async () => {
  const nobody = at(ip('127.0.0.9'), 9)
  const a = await start('a', [])
  const expected = () => [placeOf(a), nobody, 'x']
  const discovery: Discovery = async (found) => found({ seeds: [placeOf(a)], expected: expected() })
  const b = await start('b', [], { discovery })
  await vi.waitFor(() => expect(liveAt(b)).toEqual(['a', 'b']))
  expect([...b.speakers.expected]).toEqual(['127.0.0.9 9', 'a', 'b', 'x'])
  expect(b.isSettled).toBe(false)
  await vi.waitFor(() => expect(b.isSettled).toBe(true), 5000)
})

test('while discovery cannot be relied on it does not take itself for alone', async () => {
  const problem = 'no pod of ours'
  let solve = (): void => undefined
  const a = await start('a', [], {
    discovery: async (found) => {
      found({ seeds: [], expected: [], problem })
      solve = () => found({ seeds: [], expected: ['a'] })
    },
  })
  // Longer than it takes to settle.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect([a.isSettled, a.problem]).toEqual([false, problem])
  solve()
  expect([a.isSettled, a.problem]).toEqual([true, undefined])
})

test('[R8.2] while its port is taken it is nobody, not alone; then it goes on', async () => {
  const holder = createSocket('udp4').bind(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address()
  const a = await start('a', [])
  const [until, beats]: [number[], unknown[]] = [[], []]
  const b = await start('b', [placeOf(a)], {
    bind: [at(home, port)],
    endpoint: at(home, port),
    discovery: async (found) => found({ seeds: [placeOf(a)], expected: [] }),
    extend: (untilMs) => until.push(untilMs),
    openLink: () => ({ ...still, send: (frame) => beats.push(frame) > 0, close: () => undefined }),
  })
  b.setOwn({ isReady: true, hasApi: true, links: [{ ...link, isUsed: true }] })
  // Longer than it takes to settle.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect([b.isSettled, b.port, liveAt(b)]).toEqual([false, undefined, []])
  expect([until, beats]).toEqual([[], []])
  holder.close()
  await vi.waitFor(() => expect(liveAt(b)).toEqual(['a', 'b']), 5000)
  await vi.waitFor(() => expect(b.isSettled).toBe(true), 5000)
  await vi.waitFor(() => expect(Math.min(until.length, beats.length)).toBeGreaterThan(1), 5000)
  expect(liveAt(a)).toEqual(['a', 'b'])
})
