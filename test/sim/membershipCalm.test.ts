// Proves that what lies unread in calm times harms nobody: all listen before anybody is accused.
import { expect, test } from 'vitest'
import { Network } from './membershipNetwork.ts'

const node = (number: number) => `node-${number}`
const listening = (network: Network) =>
  network.names.filter((name) => !network.membership(name).isCalm(network.now))
const reports = (network: Network) => network.sent.get('reports') ?? 0
const rooms = [2, 3, 5, 10].flatMap((count) => [1, 2, 3, 4].map((seed) => ({ count, seed })))

test.each(rooms)('$count that hear each other are calm, seed $seed', ({ count, seed }) => {
  const network = Network.of(count, seed)
  network.run(2000)
  for (let round = 0; round < 100; round++) {
    expect(listening(network)).toEqual([])
    network.run(97)
  }
  expect(reports(network)).toBe(0)
})

test.each(rooms)('when one of $count is silent all listen, seed $seed', ({ count, seed }) => {
  const network = Network.of(count, seed)
  network.run(2000)
  network.kill(node(2))
  network.run(230)
  expect(network.seen(node(2), 'dead')).toEqual([])
  expect(listening(network)).toEqual(network.names)
})

test.each(rooms.filter(({ count }) => count > 2))(
  'when one of $count is silent on its link all listen, seed $seed',
  ({ count, seed }) => {
    const network = Network.of(count, seed)
    network.run(2000)
    const others = network.names.filter((name) => name !== node(2))
    network.cut([node(2)], others, 'lan')
    network.run(320)
    expect(network.seen(node(2), 'alive without eth0')).toEqual([])
    expect(listening(network)).toEqual(network.names)
  },
)

test('one broken path kills nobody', () => {
  for (const { count, seed } of rooms) {
    if (count === 2) continue
    const network = Network.of(count, seed)
    network.run(2000)
    network.cut([node(2)], [node(1)])
    network.run(20_000)
    const shown = network.sightings.filter(({ state }) => state !== 'alive')
    expect({ count, seed, shown }).toEqual({ count, seed, shown: [] })
  }
})
