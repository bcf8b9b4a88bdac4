// Who answers on a link for any of these addresses? Asked with ARP probes that claim nothing
// (RFC 5227), all at once.
import { setTimeout } from 'node:timers/promises'
import { familyOf, type Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { broadcastMac, decodeArp, encodeArp, noIp, noMac } from '../../../core/wire/arp.ts'
import { arpFilter } from '../../../edge/host/packet/filters.ts'
import { openPacketSocket } from '../../../edge/host/packet/packetSocket.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { linkNamed } from '../probe/askNeighbour.ts'

const [rounds, betweenMs, patienceMs] = [2, 300, 700]
/** A burst that no switch drops. */
const [burst, burstMs] = [64, 5]

/** By address, who answered for it; IPv4 only. */
export async function sweep(
  onInterface: string,
  addresses: readonly Ip[],
): Promise<ReadonlyMap<Ip, ReadonlySet<Mac>>> {
  const link = await linkNamed(onInterface)
  const asked = addresses.filter((ip) => familyOf(ip) === 'IPv4')
  const found = new Map<Ip, Set<Mac>>()
  const socket = openPacketSocket({
    interfaceIndex: link.index,
    filter: arpFilter,
    onFrame(frame) {
      const arp = decodeArp(frame)
      if (!arp.ok || arp.value.operation !== 'reply' || arp.value.senderMac === link.mac) return
      const { senderIp, senderMac } = arp.value
      found.set(senderIp, (found.get(senderIp) ?? new Set()).add(senderMac))
    },
    onEnd: () => undefined,
  })
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, targetIp] of asked.entries()) {
        const frame = encodeArp({
          destination: broadcastMac,
          source: link.mac,
          operation: 'request',
          senderMac: link.mac,
          senderIp: noIp,
          targetMac: noMac,
          targetIp,
        })
        if (!socket.send(frame)) throw new Fault(`cannot send on ${link.name}; check that it is up`)
        if (index % burst === burst - 1) await setTimeout(burstMs)
      }
      await setTimeout(betweenMs)
    }
    await setTimeout(patienceMs)
    return new Map([...found].filter(([ip]) => asked.includes(ip)))
  } finally {
    socket.close()
  }
}
