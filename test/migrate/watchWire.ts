// Who answers for these addresses, and when does nobody? Asks for each again and again until it is told
// to stop, and then says the longest silence of each and who answered beside whom.
import process from 'node:process'
import { linkNamed } from '../../src/app/cli/probe/askNeighbour.ts'
import { familyOf, type Ip, parseIp } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import { broadcastMac, decodeArp, encodeArp, noMac } from '../../src/core/wire/arp.ts'
import { decodeNdp, encodeNdp, groupMac, solicitedNode } from '../../src/core/wire/ndp.ts'
import { arpFilter, ndpFilter } from '../../src/edge/host/packet/filters.ts'
import { openPacketSocket } from '../../src/edge/host/packet/packetSocket.ts'

/** The interface, our addresses on it by family, how often to ask, and what to ask for. */
const [interfaceName = '', own4 = '', own6 = '', every = '', ...texts] = process.argv.slice(2)
const ipOf = (text: string): Ip => {
  const ip = parseIp(text)
  if (!ip.ok) throw new Error(ip.why)
  return ip.value
}
const addresses = texts.map(ipOf)
const everyMs = Number(every)

type Seen = {
  lastMs: number
  gapMs: number
  gapAt: string
  doubleMs: number
  macs: Map<Mac, number>
}
const seen = new Map<Ip, Seen>()
const link = await linkNamed(interfaceName)

function answered(address: Ip, mac: Mac): void {
  const nowMs = performance.now()
  const fresh = { lastMs: nowMs, gapMs: 0, gapAt: '', doubleMs: 0, macs: new Map() }
  const one = seen.get(address) ?? fresh
  const gapMs = nowMs - one.lastMs
  if (gapMs > one.gapMs) {
    one.gapMs = gapMs
    one.gapAt = new Date().toISOString()
  }
  // Two answers to one question: the other MAC answered since the last one was asked.
  const others = [...one.macs].filter(([other, atMs]) => other !== mac && nowMs - atMs < everyMs)
  if (others.length > 0) one.doubleMs += everyMs / 2
  one.lastMs = nowMs
  one.macs.set(mac, nowMs)
  seen.set(address, one)
}

const four = openPacketSocket({
  interfaceIndex: link.index,
  filter: arpFilter,
  onFrame(frame) {
    const arp = decodeArp(frame)
    if (!arp.ok || arp.value.operation !== 'reply' || arp.value.targetMac !== link.mac) return
    answered(arp.value.senderIp, arp.value.senderMac)
  },
  onEnd: () => undefined,
})
const six = openPacketSocket({
  interfaceIndex: link.index,
  filter: ndpFilter,
  onFrame(frame) {
    const ndp = decodeNdp(frame)
    if (!ndp.ok || ndp.value.kind !== 'advertisement' || !ndp.value.isSolicited) return
    answered(ndp.value.target, ndp.value.linkLayer ?? ndp.value.sourceMac)
  },
  onEnd: () => undefined,
})

function ask(target: Ip): void {
  const { mac } = link
  if (familyOf(target) === 'IPv4') {
    const from = { source: mac, senderMac: mac, senderIp: ipOf(own4) }
    const to = { destination: broadcastMac, targetMac: noMac, targetIp: target }
    four.send(encodeArp({ operation: 'request', ...from, ...to }))
    return
  }
  const destination = solicitedNode(target)
  const from = { sourceMac: mac, linkLayer: mac, source: ipOf(own6) }
  const to = { destination, destinationMac: groupMac(destination), target }
  six.send(encodeNdp({ kind: 'solicitation', ...from, ...to }))
}

const timer = setInterval(() => {
  for (const target of addresses) ask(target)
}, everyMs)

process.on('SIGTERM', () => {
  clearInterval(timer)
  const nowMs = performance.now()
  const rows = addresses.map((address) => {
    const one = seen.get(address)
    if (one === undefined) return { address, gapMs: -1, gapAt: '', doubleMs: 0, macs: 0 }
    const gapMs = Math.round(Math.max(one.gapMs, nowMs - one.lastMs))
    return { address, gapMs, gapAt: one.gapAt, doubleMs: one.doubleMs, macs: one.macs.size }
  })
  process.stdout.write(`${JSON.stringify(rows)}\n`)
  process.exit(0)
})
