import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hostLink } from '../../../../test/build/hostLink.ts'
import { macFrom, macOctets } from '../../../core/net/octets.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { PacketFault } from '../../../edge/host/packet/packetFault.ts'
import type { PacketSocketOptions } from '../../../edge/host/packet/packetSocket.ts'
import { LinkPorts } from './linkPorts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const nothing = () => undefined
const still = { receive: () => true, pause: nothing, resume: nothing }

const mac = (last: number) => macFrom(new Uint8Array([2, 0, 0, 0, 0, last]))

/** Sockets that are only written down; while `refuses` is set none can be opened. */
function stand() {
  const open = new Map<number, PacketSocketOptions>()
  const sent: { index: number; frame: Uint8Array }[] = []
  const received: string[] = []
  const failures: string[] = []
  const state = { refuses: '' }
  const ports = new LinkPorts({
    received: (sealed, name, from) => received.push(`${name} ${from} ${sealed.join()}`),
    failed: (name, why) => failures.push(`${name}: ${why}`),
    open: (options) => {
      if (state.refuses !== '') throw new PacketFault(state.refuses)
      open.set(options.interfaceIndex, options)
      return {
        ...still,
        send: (frame) =>
          sent.push({ index: options.interfaceIndex, frame: Uint8Array.from(frame) }) > 0,
        close: () => open.delete(options.interfaceIndex),
      }
    },
  })
  return { ports, open, sent, received, failures, state, indexes: () => [...open.keys()].sort() }
}

test('frames go out with both addresses and our EtherType, and come in the same way', () => {
  const { ports, open, sent, received } = stand()
  ports.follow([hostLink(7, 'eth0')])
  ports.send('eth0', mac(9), new Uint8Array([1, 2, 3]))
  ports.send('eth9', mac(9), new Uint8Array([1]))
  const header = [...macOctets(mac(9)), ...macOctets(mac(7)), 0x88, 0xb5]
  expect(sent).toEqual([{ index: 7, frame: new Uint8Array([...header, 1, 2, 3]) }])
  open.get(7)?.onFrame(new Uint8Array([...macOctets(mac(7)), ...macOctets(mac(9)), 0x88, 0xb5, 5]))
  open.get(7)?.onFrame(new Uint8Array(13))
  expect(received).toEqual(['eth0 02:00:00:00:00:09 5'])
})

test.each<{ what: string; after: readonly HostLink[]; indexes: readonly number[] }>([
  { what: 'one more', after: [hostLink(7, 'eth0'), hostLink(8, 'eth1')], indexes: [7, 8] },
  { what: 'gone', after: [], indexes: [] },
  { what: 'down', after: [hostLink(7, 'eth0', { isUp: false })], indexes: [] },
  { what: 'without carrier', after: [hostLink(7, 'eth0', { hasCarrier: false })], indexes: [7] },
  { what: 'renamed', after: [hostLink(7, 'lan')], indexes: [7] },
  { what: 'made anew', after: [hostLink(8, 'eth0')], indexes: [8] },
])('an interface that is $what is followed', ({ after, indexes }) => {
  const { ports, indexes: open } = stand()
  ports.follow([hostLink(7, 'eth0')])
  ports.follow(after)
  expect(open()).toEqual(indexes)
  ports.close()
  expect(open()).toEqual([])
})

test('another MAC is the source from then on', () => {
  const { ports, sent } = stand()
  ports.follow([hostLink(7, 'eth0')])
  ports.follow([hostLink(7, 'eth0', { mac: mac(99) })])
  ports.send('eth0', mac(9), new Uint8Array([1]))
  expect(macFrom(sent[0]?.frame.subarray(6, 12) ?? new Uint8Array())).toBe(mac(99))
})

test('a socket that cannot be opened, or ends, is opened later; the reason is told once', () => {
  const { ports, open, failures, state, indexes } = stand()
  state.refuses = 'EPERM'
  ports.follow([hostLink(7, 'eth0')])
  vi.advanceTimersByTime(5_000)
  expect(failures).toEqual(['eth0: EPERM'])
  state.refuses = ''
  vi.advanceTimersByTime(1_000)
  expect(indexes()).toEqual([7])
  const options = open.get(7)
  open.clear()
  options?.onEnd(new PacketFault('recv: ENETDOWN'))
  ports.send('eth0', mac(9), new Uint8Array([1]))
  vi.advanceTimersByTime(1_000)
  expect(indexes()).toEqual([7])
  expect(failures).toEqual(['eth0: EPERM', 'eth0: recv: ENETDOWN'])
  ports.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a brief loss is over soon; while it lasts it is tried less and less often', () => {
  const { ports, open, failures } = stand()
  ports.follow([hostLink(7, 'eth0')])
  let opened = 0
  /** As on a link that is down: the socket opens and ends at once. */
  const pauses = [50, 100, 200, 400, 800, 1_000, 1_000]
  for (const ms of pauses) {
    const options = open.get(7)
    open.clear()
    options?.onEnd(new PacketFault('recv: ENETDOWN'))
    vi.advanceTimersByTime(ms - 1)
    expect(open.size).toBe(0)
    vi.advanceTimersByTime(1)
    opened += open.size
  }
  expect(opened).toBe(pauses.length)
  expect(failures).toEqual(['eth0: recv: ENETDOWN'])
  vi.advanceTimersByTime(5_000)
  const options = open.get(7)
  open.clear()
  options?.onEnd(new PacketFault('recv: ENETDOWN'))
  vi.advanceTimersByTime(50)
  expect(open.size).toBe(1)
  expect(failures).toHaveLength(2)
  ports.close()
})
