// Proves that a link that is dead while the management network lives is seen, on a wire in memory.
import { afterEach, expect, test, vi } from 'vitest'
import { hostLink } from '../../../../test/build/hostLink.ts'
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import type { PacketSocket, PacketSocketOptions } from '../../../edge/host/packet/packetSocket.ts'
import { parseKeys } from '../../../edge/host/sealingKey.ts'
import { type Members, startMembers } from './members.ts'

const running: Members[] = []
afterEach(() => Promise.all(running.splice(0).map((members) => members.stop())))

const nothing = () => undefined
const still = { receive: () => true, pause: nothing, resume: nothing }

/** Every frame reaches every other port, as on a hub; a port that is cut hears and says nothing. */
class Wire {
  readonly cut = new Set<number>()
  /** How often each port was heard by another one. */
  readonly heard = new Map<number, number>()
  readonly #ports = new Map<number, PacketSocketOptions>()

  open(options: PacketSocketOptions): PacketSocket {
    const own = options.interfaceIndex
    this.#ports.set(own, options)
    return {
      ...still,
      send: (frame) => {
        const bytes = Uint8Array.from(frame)
        setImmediate(() => this.#carry(own, bytes))
        return true
      },
      close: () => this.#ports.delete(own),
    }
  }

  #carry(from: number, frame: Uint8Array): void {
    for (const [index, { onFrame }] of this.#ports) {
      if (index === from || this.cut.has(index) || this.cut.has(from)) continue
      this.heard.set(from, (this.heard.get(from) ?? 0) + 1)
      onFrame(frame)
    }
  }
}

function ip(text: string): Ip {
  const address = parseIp(text)
  if (!address.ok) throw new Error(address.why)
  return address.value
}
const home: Endpoint = { address: ip('127.0.0.1'), port: 0 }

const linkOf = (index: number, hasCarrier = true): HostLink => {
  const addresses = [{ address: ip(`10.0.0.${index}`), prefixLength: 24 }]
  return hostLink(index, `eth${index}`, { hasCarrier, addresses })
}
const own = (link: HostLink, isUsed = true) => ({
  ...{ isReady: true, hasApi: true, links: [{ ...link, isUsed }] },
})

async function three() {
  const [wire, keys] = [new Wire(), parseKeys('a secret of theirs')]
  if (!keys.ok) throw new Error(keys.why)
  const seeds: Endpoint[] = []
  for (const [at, node] of ['a', 'b', 'c'].entries()) {
    const members = await startMembers({
      node,
      bind: [home],
      endpoint: home,
      keys: keys.value,
      discovery: async (found) => found({ seeds, expected: [] }),
      timing: { beatMs: 20, timeoutMs: 400 },
      changed: () => undefined,
      extend: () => undefined,
      log: () => undefined,
      openLink: (options) => wire.open(options),
    })
    running.push(members)
    members.setOwn(own(linkOf(at + 1)))
    seeds.push({ ...home, port: members.port ?? 0 })
  }
  const beats = () => running.map(({ counts }) => counts.beatsHeard)
  // Of a port that never spoke on its wire nobody can tell that it fell silent there.
  const frames = () => [1, 2, 3].map((index) => wire.heard.get(index) ?? 0)
  await vi.waitFor(() => expect(Math.min(...beats(), ...frames())).toBeGreaterThan(100), 10_000)
  return { wire, members: running }
}

const deadAt = ({ speakers }: Members) =>
  [...(speakers.links ?? [])].flatMap(([node, links]) =>
    links.filter(({ isUp }) => !isUp).map(({ name }) => `${node}/${name}`),
  )
const patience = { timeout: 10_000, interval: 20 }

/** In beats that were heard, not in time: a machine that is busy has fewer of them. */
async function beatsPass(members: readonly Members[], count: number): Promise<void> {
  const before = members.map(({ counts }) => counts.beatsHeard)
  const heard = () => members.map(({ counts }, at) => counts.beatsHeard - (before[at] ?? 0))
  await vi.waitFor(() => expect(Math.min(...heard())).toBeGreaterThan(count), patience)
}
const noneIsDead = (members: readonly Members[]) =>
  vi.waitFor(() => expect(members.map(deadAt)).toEqual([[], [], []]), patience)

test('a segment that drops one member is a dead link of it, until it is heard there again', async () => {
  const { wire, members } = await three()
  await noneIsDead(members)
  wire.cut.add(2)
  const each = [['b/eth2'], ['b/eth2'], ['b/eth2']]
  await vi.waitFor(() => expect(members.map(deadAt)).toEqual(each), patience)
  for (const { speakers } of members) expect([...speakers.live]).toEqual(['a', 'b', 'c'])
  wire.cut.clear()
  await noneIsDead(members)
})

test('a segment that is dead for all is nobody in particular', async () => {
  const { wire, members } = await three()
  for (const index of [1, 2, 3]) wire.cut.add(index)
  await beatsPass(members, 100)
  await noneIsDead(members)
})

test('lost carrier is told at once', async () => {
  const { members } = await three()
  members[2]?.setOwn(own(linkOf(3, false)))
  expect(members[2] && deadAt(members[2])).toEqual(['c/eth3'])
  const each = [['c/eth3'], ['c/eth3'], ['c/eth3']]
  await vi.waitFor(() => expect(members.map(deadAt)).toEqual(each), patience)
})

test('over a link that no advertisement is for nobody beats, and its silence says nothing', async () => {
  const { wire, members } = await three()
  const frames = () => [1, 2, 3].map((index) => wire.heard.get(index) ?? 0)
  // One after another, as the API tells them.
  for (const [at, member] of members.entries()) {
    member.setOwn(own(linkOf(at + 1), false))
    await beatsPass(members, 60)
    await noneIsDead(members)
  }
  const before = frames()
  await beatsPass(members, 50)
  expect(frames()).toEqual(before)
  await noneIsDead(members)
  for (const [at, member] of members.entries()) member.setOwn(own(linkOf(at + 1)))
  const isBeaten = () => expect(Math.min(...frames())).toBeGreaterThan(Math.max(...before) + 50)
  await vi.waitFor(isBeaten, patience)
  wire.cut.add(2)
  const each = [['b/eth2'], ['b/eth2'], ['b/eth2']]
  await vi.waitFor(() => expect(members.map(deadAt)).toEqual(each), patience)
})
