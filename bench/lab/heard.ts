// What is announced on the lan? Every gratuitous ARP, when it came and for which address. Runs in
// the client; each line of input is a question: `reset`, or `report`.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { decodeArp } from '../../src/core/wire/arp.ts'
import { arpFilter } from '../../src/edge/host/packet/filters.ts'
import { openPacketSocket } from '../../src/edge/host/packet/packetSocket.ts'

export type Heard = {
  readonly frames: number
  readonly addresses: number
  /** When each address was first announced, as the clock on the wall says: the first and the last. */
  readonly firstMs: number
  readonly lastMs: number
  /** Frames by who sent them. */
  readonly senders: Readonly<Record<string, number>>
}

const firsts = new Map<string, number>()
const senders = new Map<string, number>()

openPacketSocket({
  interfaceIndex: Number(readFileSync('/sys/class/net/eth0/ifindex', 'utf8')),
  filter: arpFilter,
  onFrame(frame) {
    const arp = decodeArp(frame)
    if (!arp.ok || arp.value.senderIp !== arp.value.targetIp) return
    const { senderIp, senderMac } = arp.value
    if (!firsts.has(senderIp)) firsts.set(senderIp, Date.now())
    senders.set(senderMac, (senders.get(senderMac) ?? 0) + 1)
  },
  onEnd: ({ message }) => void process.stderr.write(`${message}\n`),
})

createInterface(process.stdin).on('line', (line) => {
  if (line === 'reset') {
    firsts.clear()
    senders.clear()
  }
  const heard: Heard = {
    frames: [...senders.values()].reduce((sum, count) => sum + count, 0),
    addresses: firsts.size,
    firstMs: Math.min(...firsts.values(), Number.MAX_SAFE_INTEGER),
    lastMs: Math.max(...firsts.values(), 0),
    senders: Object.fromEntries(senders),
  }
  process.stdout.write(`${JSON.stringify(heard)}\n`)
})
