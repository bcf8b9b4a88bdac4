// Who answers for these addresses, and when does nobody? Asks for each ten times a second until it
// is told to stop, and then says the longest silence of each and who answered beside whom.
import process from 'node:process'
import { type Ip, parseIp } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import { broadcastMac, decodeArp, encodeArp, noMac } from '../../src/core/wire/arp.ts'
import { arpFilter } from '../../src/edge/host/packet/filters.ts'
import { openPacketSocket } from '../../src/edge/host/packet/packetSocket.ts'
import { watchLinks } from '../../src/edge/host/packet/watchLinks.ts'

const [interfaceName = '', own = '', ...texts] = process.argv.slice(2)
const ipOf = (text: string): Ip => {
  const ip = parseIp(text)
  if (!ip.ok) throw new Error(ip.why)
  return ip.value
}
const addresses = texts.map(ipOf)
const everyMs = 100

type Seen = {
  lastMs: number
  gapMs: number
  gapAt: string
  doubleMs: number
  macs: Map<Mac, number>
}
const seen = new Map<Ip, Seen>()

const link = await new Promise<{ index: number; mac: Mac }>((resolve) => {
  const watching = watchLinks((links) => {
    const found = links.find(({ name }) => name === interfaceName)
    queueMicrotask(() => watching.close())
    if (found !== undefined) resolve(found)
  })
})

const socket = openPacketSocket({
  interfaceIndex: link.index,
  filter: arpFilter,
  onFrame(frame) {
    const arp = decodeArp(frame)
    if (!arp.ok || arp.value.operation !== 'reply' || arp.value.targetMac !== link.mac) return
    const { senderIp, senderMac } = arp.value
    const nowMs = performance.now()
    const one = seen.get(senderIp) ?? {
      lastMs: nowMs,
      gapMs: 0,
      gapAt: '',
      doubleMs: 0,
      macs: new Map(),
    }
    const gapMs = nowMs - one.lastMs
    if (gapMs > one.gapMs) {
      one.gapMs = gapMs
      one.gapAt = new Date().toISOString()
    }
    // Two answers to one question: the other MAC answered since the last one was asked.
    const others = [...one.macs].filter(
      ([mac, atMs]) => mac !== senderMac && nowMs - atMs < everyMs,
    )
    if (others.length > 0) one.doubleMs += everyMs / 2
    one.lastMs = nowMs
    one.macs.set(senderMac, nowMs)
    seen.set(senderIp, one)
  },
  onEnd: () => undefined,
})
const timer = setInterval(() => {
  for (const targetIp of addresses) {
    socket.send(
      encodeArp({
        ...{
          destination: broadcastMac,
          source: link.mac,
          operation: 'request',
          senderMac: link.mac,
        },
        ...{ senderIp: ipOf(own), targetMac: noMac, targetIp },
      }),
    )
  }
}, everyMs)

process.on('SIGTERM', () => {
  clearInterval(timer)
  const nowMs = performance.now()
  const rows = addresses.map((address) => {
    const one = seen.get(address)
    if (one === undefined) return { address, gapMs: -1, gapAt: '', doubleMs: 0, macs: 0 }
    const gapMs = Math.max(one.gapMs, nowMs - one.lastMs)
    return {
      address,
      gapMs: Math.round(gapMs),
      gapAt: one.gapAt,
      doubleMs: one.doubleMs,
      macs: one.macs.size,
    }
  })
  process.stdout.write(`${JSON.stringify(rows)}\n`)
  process.exit(0)
})
