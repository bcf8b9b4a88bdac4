// Who may own addresses while contact to the API, or the management network, fails? In virtual time.
import { expect, test } from 'vitest'
import { Network } from './membershipNetwork.ts'

const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const node = (number: number) => `node-${number}`
const nodes = (...numbers: number[]) => numbers.map(node)

test('[R8.2] without contact to the API, while others have it, nobody is a candidate', () => {
  const network = Network.of(3, 1)
  const candidates = () => network.names.map((name) => [...network.membership(name).candidates()])
  network.update(node(2), { hasApi: false })
  network.run(14_900)
  expect(candidates()).toEqual([nodes(1, 2, 3), nodes(1, 2, 3), nodes(1, 2, 3)])
  network.run(200)
  expect(candidates()).toEqual([nodes(1, 3), nodes(1, 3), nodes(1, 3)])
  network.start(node(4))
  network.run(3000)
  for (const each of candidates()) expect(each).toEqual(nodes(1, 3, 4))
  network.kill(node(4))
  network.run(1000)
  network.update(node(1), { hasApi: false })
  network.update(node(3), { hasApi: false })
  network.run(5)
  expect(candidates()).toEqual([nodes(1, 2, 3), nodes(1, 2, 3), nodes(1, 2, 3)])
  network.update(node(3), { isReady: false, hasApi: true })
  network.run(5)
  expect(candidates()).toEqual([nodes(1, 2), nodes(1, 2), nodes(1, 2)])
})

test('[R8.2] an outage that each notices at its own time changes no candidates', () => {
  const network = Network.of(3, 1)
  const all = nodes(1, 2, 3)
  const expectAll = (ms: number) => {
    for (const until = network.now + ms; network.now < until; network.run(100)) {
      for (const name of all) expect([...network.membership(name).candidates()]).toEqual(all)
    }
  }
  for (const hasApi of [false, true]) {
    for (const name of all) {
      network.update(name, { hasApi })
      expectAll(5000)
    }
    expectAll(60_000)
  }
})

test('[R8.2] who has no contact still when others have had it again for a while is left out', () => {
  const network = Network.of(3, 1)
  for (const name of nodes(1, 2, 3)) network.update(name, { hasApi: false })
  network.run(60_000)
  for (const name of nodes(1, 2)) network.update(name, { hasApi: true })
  network.run(14_900)
  expect([...network.membership(node(1)).candidates()]).toEqual(nodes(1, 2, 3))
  network.run(200)
  for (const name of network.names) {
    expect([...network.membership(name).candidates()]).toEqual(nodes(1, 2))
  }
})

/** Those that may own an address by their own account. */
const willing = (network: Network) =>
  network.names.filter((name) => network.membership(name).candidates().has(name))

test.each([
  { count: 2, sides: [[2]], stay: [1] },
  { count: 2, sides: [[1]], stay: [1] },
  { count: 3, sides: [[1]], stay: [2, 3] },
  { count: 3, sides: [[3]], stay: [1, 2] },
  { count: 5, sides: [[1]], stay: [2, 3, 4, 5] },
  { count: 5, sides: [[1, 2]], stay: [3, 4, 5] },
  { count: 4, sides: [[1, 4]], stay: [1, 4] },
  { count: 5, sides: [[1], [2, 3]], stay: [2, 3] },
  { count: 3, sides: [[1], [2]], stay: [1] },
])('$count speakers, UDP cut around $sides while links go on: $stay stay', (split) => {
  const { count, sides, stay } = split
  for (const seed of seeds(3)) {
    const network = Network.of(count, seed, { loss: seed === 3 ? 0.02 : 0 })
    for (const side of sides.map((numbers) => nodes(...numbers))) {
      const rest = network.names.filter((name) => !side.includes(name))
      network.split(side, rest)
    }
    network.run(1500)
    for (const until = network.now + 10_000; network.now < until; network.run(100)) {
      expect(willing(network), `seed ${seed} at ${network.now}`).toEqual(nodes(...stay))
    }
    network.heal()
    network.run(3000)
    expect(willing(network)).toEqual(network.names)
  }
})

test('the larger side never gives up, not while the smaller one has yet to notice', () => {
  for (const seed of seeds(10)) {
    const network = Network.of(5, seed)
    network.split(nodes(1), nodes(2, 3, 4, 5))
    for (const until = network.now + 5000; network.now < until; network.run(5)) {
      expect(willing(network)).toEqual(expect.arrayContaining(nodes(2, 3, 4, 5)))
    }
  }
})

test.each([2, 3])('of %i the last one stays when the others really died', (count) => {
  for (const seed of seeds(10)) {
    const network = Network.of(count, seed)
    for (let number = 1; number < count; number++) network.kill(node(number))
    for (const until = network.now + 5000; network.now < until; network.run(5)) {
      expect(willing(network)).toEqual(nodes(count))
    }
  }
})

/** `count` speakers that do not hear each other on any link. */
function withoutLinks(count: number, seed: number): Network {
  const network = new Network(seed)
  network.hasLinks = false
  network.open(count)
  return network
}

test('one that a single watcher cannot hear stays', () => {
  const network = withoutLinks(3, 1)
  network.cut(nodes(1), nodes(2))
  network.run(60_000)
  expect(willing(network)).toEqual(network.names)
})

test('when all stand still again and again, not all give up', () => {
  const network = withoutLinks(3, 1)
  for (let at = 0; at < 12; at++) {
    network.stall(node(1 + (at % 3)), 600)
    for (const until = network.now + 2000; network.now < until; network.run(50)) {
      expect(willing(network).length).toBeGreaterThan(0)
    }
  }
})

test('who was outnumbered stays alone when the others die', () => {
  const network = Network.of(3, 1)
  network.split(nodes(3), nodes(1, 2))
  network.run(3000)
  expect(willing(network)).toEqual(nodes(1, 2))
  for (const name of nodes(1, 2)) network.kill(name)
  network.run(6000)
  expect(willing(network)).toEqual(nodes(3))
})

test('a restart where the links are up first silences nobody', () => {
  for (const seed of seeds(10)) {
    const network = Network.of(2, seed)
    network.kill(node(1))
    network.run(3000)
    network.start(node(1))
    for (const until = network.now + 3000; network.now < until; network.run(5)) {
      expect(willing(network)).toContain(node(2))
    }
  }
})
