// Who is alive, for each member of a network that loses, delays, doubles and cuts? In virtual time.
import { expect, test } from 'vitest'
import { randomFrom } from '../build/random.ts'
import { Network, ownFacts } from './membershipNetwork.ts'

const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const node = (number: number) => `node-${number}`
const nodes = (...numbers: number[]) => numbers.map(node)
const gone = (network: Network, from = 0) =>
  network.sightings.filter(({ at, state }) => at >= from && state !== 'alive')

function expectAgreement(network: Network): void {
  const running = network.names.sort()
  for (const name of running) {
    expect(network.liveFor(name), `${name} at ${network.now}`).toEqual(running)
  }
}

/** How long after `from` each of the others held `name` for dead. */
function detection(network: Network, name: string, from: number): number[] {
  const seen = network.seen(name, 'dead', from)
  return network.names.map(
    (by) => (seen.find((one) => one.by === by)?.at ?? Number.POSITIVE_INFINITY) - from,
  )
}

test.each([1, 2, 3, 10, 30])('%i speakers find each other through one of them', (count) => {
  const network = Network.of(count, count)
  expectAgreement(network)
  expect(gone(network)).toEqual([])
})

// The soak takes 200.
test('80 speakers agree, and again when four of them are gone', () => {
  const network = new Network(7)
  network.hasLinks = false
  network.isRecording = false
  network.open(80, 1200)
  network.isRecording = true
  expectAgreement(network)
  for (let number = 1; number <= 80; number += 20) network.kill(node(number))
  network.run(1000)
  expectAgreement(network)
  const dead = nodes(1, 21, 41, 61)
  expect(new Set(gone(network).map((one) => one.node))).toEqual(new Set(dead))
})

test('a killed member is dead for all within one timeout and two beats', () => {
  const times = [2, 3, 4, 6, 10].flatMap((count) =>
    seeds(5).flatMap((seed) => {
      const network = Network.of(count, seed)
      const from = network.now
      network.kill(node(2))
      network.run(600)
      return detection(network, node(2), from)
    }),
  )
  times.sort((one, other) => one - other)
  expect(times[times.length >> 1]).toBeLessThanOrEqual(380)
  expect(times.at(-1)).toBeLessThan(420)
})

test('with 5 % loss too, though a beat later', () => {
  for (const seed of seeds(15)) {
    const network = Network.of(3 + (seed % 5), seed, { loss: 0.05 })
    const from = network.now
    network.kill(node(2))
    network.run(2000)
    const times = detection(network, node(2), from).sort((one, other) => one - other)
    expect(times[times.length >> 1]).toBeLessThan(500)
    expectAgreement(network)
  }
})

test('with half the beat and half the timeout in half the time, and nobody dies of it', () => {
  const network = new Network(1, { loss: 0.01 }, { beatMs: 20, timeoutMs: 170 })
  network.open(3)
  network.run(60_000)
  expect(gone(network)).toEqual([])
  const from = network.now
  network.kill(node(2))
  network.run(500)
  expect(Math.max(...detection(network, node(2), from))).toBeLessThan(250)
})

test('two of three at once', () => {
  const network = Network.of(3, 1)
  const from = network.now
  network.kill(node(2))
  network.kill(node(3))
  network.run(600)
  expect(detection(network, node(2), from)[0]).toBeLessThan(420)
  expect(detection(network, node(3), from)[0]).toBeLessThan(420)
})

test('half of ten at once', () => {
  for (const seed of seeds(5)) {
    const network = Network.of(10, seed)
    const from = network.now
    for (const number of [1, 3, 5, 7, 9]) network.kill(node(number))
    network.run(1300)
    for (const number of [1, 3, 5, 7, 9]) {
      expect(Math.max(...detection(network, node(number), from))).toBeLessThan(1000)
    }
    expectAgreement(network)
  }
})

test('two minutes of 5 % loss kill nobody and no link', () => {
  const network = Network.of(3, 1, { loss: 0.05 })
  network.run(120_000)
  expect(gone(network)).toEqual([])
})

test('what is late, overtaken and doubled does not matter', () => {
  const network = Network.of(5, 1, { loss: 0.02, doubled: 0.2, delayMs: [0.1, 80] })
  network.run(60_000)
  expect(gone(network)).toEqual([])
  expectAgreement(network)
})

test.each([2, 3, 5])('a stall of 300 ms of one of %i kills nobody', (count) => {
  for (const seed of seeds(15)) {
    const network = Network.of(count, seed)
    network.stall(node(1 + (seed % count)), 300)
    network.run(1500)
    expect(gone(network), `seed ${seed}`).toEqual([])
  }
})

test('a stall of 300 ms of all at once kills nobody', () => {
  for (const seed of seeds(20)) {
    const network = Network.of(4, seed)
    for (const name of network.names) network.stall(name, 280 + 5 * (seed % 5))
    network.run(1500)
    expect(gone(network), `seed ${seed}`).toEqual([])
  }
})

// Unless all watchers miss the last beats before it as well: then it is silent for the timeout.
test('a stall of 300 ms with 5 % loss kills nobody in these runs', () => {
  for (const seed of seeds(25)) {
    const network = Network.of(3, seed, { loss: 0.05 })
    network.stall(node(1 + (seed % 3)), 300)
    network.run(1500)
    expect(gone(network), `seed ${seed}`).toEqual([])
  }
})

test('a stall of 2 s is a death and a return; who slept accuses nobody', () => {
  for (const seed of seeds(10)) {
    const network = Network.of(3, seed)
    const from = network.now
    network.stall(node(2), 2000)
    network.run(1900)
    expect(network.seen(node(2), 'dead', from)).toHaveLength(2)
    expect(network.liveFor(node(1))).toEqual(nodes(1, 3))
    network.run(300)
    expectAgreement(network)
    expect(new Set(gone(network).map((one) => one.node))).toEqual(new Set([node(2)]))
  }
})

test('both sides of a cut go on, and find each other again', () => {
  for (const [count, seed] of [
    [2, 1],
    [3, 2],
    [5, 3],
    [12, 4],
  ] as const) {
    const network = Network.of(count, seed)
    const side = network.names.slice(0, count >> 1)
    const other = network.names.slice(count >> 1)
    network.split(side, other)
    network.run(3000)
    for (const name of side) expect(network.liveFor(name)).toEqual([...side].sort())
    for (const name of other) expect(network.liveFor(name)).toEqual([...other].sort())
    network.heal()
    network.run(4000)
    expectAgreement(network)
  }
})

test('a member that one of its watchers cannot hear stays, and is not accused all the time', () => {
  const network = Network.of(3, 1)
  const from = network.now
  network.cut(nodes(1), nodes(2))
  network.run(10_000)
  expect(gone(network, from).filter(({ state }) => state === 'dead')).toEqual([])
  network.sent.clear()
  network.run(60_000)
  expect(network.sent.get('reports') ?? 0).toBeLessThan(200)
  expect(gone(network, from).filter(({ state }) => state === 'dead')).toEqual([])
  expectAgreement(network)
})

test.each([
  ['one way', 5, [2, 3, 4]],
  ['both ways', 5, [2, 3, 4]],
  ['both ways', 4, [2, 3]],
])('a member that %s most of %i cannot hear does not die again and again', (way, count, far) => {
  for (const seed of seeds(2)) {
    const network = Network.of(count, seed)
    const from = network.now
    if (way === 'one way') network.cut(nodes(1), nodes(...far))
    else network.split(nodes(1), nodes(...far))
    network.run(20_000)
    for (const by of network.names) {
      const deaths = gone(network, from).filter((one) => one.by === by && one.state === 'dead')
      expect(deaths.length, `${by}, seed ${seed}`).toBeLessThanOrEqual(3)
    }
    const steady = network.now
    network.run(40_000)
    expect(gone(network, steady)).toEqual([])
    expectAgreement(network)
  }
})

test('one that is accused wrongly and then dies is dead as soon as any other', () => {
  for (const seed of seeds(5)) {
    const network = Network.of(5, seed)
    network.cut(nodes(1), nodes(2, 3, 4))
    network.run(5000)
    network.heal()
    network.run(1000)
    const from = network.now
    network.kill(node(1))
    network.run(1000)
    expect(Math.max(...detection(network, node(1), from))).toBeLessThan(600)
  }
})

test('a member that hears nobody takes itself for alone, and nobody else with it', () => {
  const network = Network.of(5, 1)
  network.cut(nodes(2, 3, 4, 5), nodes(1))
  network.run(3000)
  for (const name of nodes(2, 3, 4, 5)) expect(network.liveFor(name)).toEqual(nodes(2, 3, 4, 5))
  expect(network.liveFor(node(1))).toEqual(nodes(1))
  network.heal()
  network.run(3000)
  expectAgreement(network)
})

test('a quick restart is a new life without a death, of the member or of its link', () => {
  for (const seed of seeds(15)) {
    const network = Network.of(3, seed)
    const from = network.now
    network.kill(node(2))
    network.run(20 * seed)
    network.start(node(2))
    network.run(2000)
    expectAgreement(network)
    expect(gone(network, from)).toEqual([])
  }
})

test('a restart with a clock that went back is believed: where it is, the old life was', () => {
  const network = Network.of(3, 1)
  network.kill(node(2))
  network.run(100)
  network.start(node(2), 1000)
  network.run(200)
  expect(network.membership(node(2)).isSuperseded).toBe(false)
  expectAgreement(network)
})

test('who leaves is no candidate anywhere within a beat, and has left when it is silent', () => {
  const network = Network.of(4, 1)
  const from = network.now
  network.leave(node(2))
  network.run(42)
  for (const name of network.names) {
    expect([...network.membership(name).candidates()]).toEqual(nodes(1, 3, 4))
    expect(network.liveFor(name)).toHaveLength(4)
  }
  network.kill(node(2))
  network.run(1000)
  expect(network.seen(node(2), 'dead', from)).toEqual([])
  expect(network.seen(node(2), 'left', from)).toHaveLength(3)
})

test('a dead member is forgotten after a while, and found again when it comes back', () => {
  const network = Network.of(3, 1)
  network.kill(node(3))
  network.run(300_000)
  expect(network.membership(node(1)).members()).toHaveLength(3)
  network.run(305_000)
  expect(network.membership(node(1)).members()).toHaveLength(2)
  network.start(node(3))
  network.run(2000)
  expectAgreement(network)
})

const silent = (network: Network) =>
  network.names.map((name) => {
    const members = network.membership(name).members()
    return members.filter(({ silentLinks }) => silentLinks.has('eth0')).map((one) => one.node)
  })

test('a link that carries nothing is dead for all while its node lives, and comes back', () => {
  for (const seed of seeds(5)) {
    const network = Network.of(4, seed)
    network.split(nodes(2), nodes(1, 3, 4), 'lan')
    network.run(500)
    expect(silent(network)).toEqual([nodes(2), nodes(2), nodes(2), nodes(2)])
    expectAgreement(network)
    network.run(20_000)
    expect(silent(network)).toEqual([nodes(2), nodes(2), nodes(2), nodes(2)])
    network.heal()
    network.run(2500)
    expect(silent(network)).toEqual([[], [], [], []])
  }
})

test('one of many links is found dead too, in twice the time', () => {
  for (const seed of seeds(3)) {
    const network = Network.of(4, seed, { loss: 0.05 })
    for (const [at, name] of network.names.entries()) {
      const links = ownFacts(at + 1).links.flatMap((link) =>
        ['eth0', 'eth1', 'eth2', 'eth3', 'eth4'].map((other) => ({ ...link, name: other })),
      )
      network.update(name, { links })
    }
    network.run(3000)
    expect(silent(network)).toEqual([[], [], [], []])
    network.split(nodes(2), nodes(1, 3, 4), 'lan')
    network.run(1200)
    expect(silent(network)).toEqual([nodes(2), nodes(2), nodes(2), nodes(2)])
  }
})

test('a link that is heard but hears nothing is not dead', () => {
  const network = Network.of(4, 1)
  network.cut(nodes(1, 3, 4), nodes(2), 'lan')
  network.run(5000)
  expect(silent(network)).toEqual([[], [], [], []])
})

test.each([
  ['two speakers blame nobody', 2, [1], []],
  ['equal halves blame nobody', 4, [1, 2], []],
  ['the smaller part is blamed', 5, [1, 2], [1, 2]],
])('a segment that falls apart: %s', (_, count, part, blamed) => {
  const network = Network.of(count, 1)
  const names = nodes(...part)
  const rest = network.names.filter((name) => !names.includes(name))
  network.split(names, rest, 'lan')
  network.run(3000)
  for (const seen of silent(network)) expect(seen).toEqual(nodes(...blamed))
})

type Step = (network: Network, random: () => number) => void
const any = (network: Network, random: () => number) =>
  network.names[Math.floor(random() * network.names.length)] ?? node(1)
const steps: readonly Step[] = [
  (network, random) => {
    if (network.names.length > 2) network.kill(any(network, random))
  },
  (network, random) => network.stall(any(network, random), 3000 * random()),
  (network, random) => network.start(node(1 + Math.floor(8 * random()))),
  (network, random) => network.cut([any(network, random)], network.names),
  (network, random) => network.cut(network.names, [any(network, random)]),
  (network, random) => network.split([any(network, random)], network.names, 'lan'),
  (network) => network.heal(),
]

test.each(seeds(25))('after any trouble all agree again, seed %i', (seed) => {
  const random = randomFrom(seed)
  const network = new Network(seed, { loss: 0.1 * random(), doubled: 0.1, delayMs: [0.1, 20] })
  network.seedCount = 8
  network.open(6)
  for (let turn = 0; turn < 12; turn++) {
    steps[Math.floor(random() * steps.length)]?.(network, random)
    network.run(1500 * random())
  }
  network.heal()
  network.weather = { ...network.weather, loss: 0 }
  network.run(10_000)
  expectAgreement(network)
  expect(silent(network).flat()).toEqual([])
})
