// Which machines answer for an address? Asked on the link itself, past the kernel's neighbour
// table.
import { setTimeout } from 'node:timers/promises'
import { familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { broadcastMac, decodeArp, encodeArp, noIp, noMac } from '../../../core/wire/arp.ts'
import { decodeNdp, encodeNdp, groupMac, solicitedNode } from '../../../core/wire/ndp.ts'
import { arpFilter, ndpFilter } from '../../../edge/host/packet/filters.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { openPacketSocket } from '../../../edge/host/packet/packetSocket.ts'
import { watchLinks } from '../../../edge/host/packet/watchLinks.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Answer } from './finding.ts'

type Question = {
  readonly address: Ip
  readonly interface: string
  /** The address of this host on the link. */
  readonly source: string
  readonly count: number
}

const betweenMs = 200
/** A slower answer counts as none. */
const patienceMs = 1_000

/**
 * Who answered each request, with the time since. Whoever answers twice, as where the kernel asks
 * for the same address, answers once.
 */
export async function askNeighbour(question: Question): Promise<readonly Answer[]> {
  const { address, count } = question
  const link = await linkNamed(question.interface)
  const isFour = familyOf(address) === 'IPv4'
  const asked = { address, mac: link.mac }
  const answers: Answer[] = []
  let askedMs = 0
  let heard = new Set<Mac>()
  const socket = openPacketSocket({
    interfaceIndex: link.index,
    filter: isFour ? arpFilter : ndpFilter,
    onFrame(frame) {
      const mac = isFour ? arpOwner(frame, asked) : ndpOwner(frame, asked)
      if (mac === undefined || heard.has(mac)) return
      heard.add(mac)
      answers.push({ mac, ms: performance.now() - askedMs })
    },
    onEnd: () => undefined,
  })
  try {
    const frame = isFour ? arpQuestion(question, link) : ndpQuestion(question, link)
    for (let sent = 0; sent < count; sent++) {
      askedMs = performance.now()
      heard = new Set()
      if (!socket.send(frame)) throw new Fault(`cannot send on ${link.name}; check that it is up`)
      await setTimeout(betweenMs)
    }
    if (answers.length < count) await setTimeout(patienceMs)
    return answers
  } finally {
    socket.close()
  }
}

export function linkNamed(name: string): Promise<HostLink> {
  return new Promise((resolve, reject) => {
    const watching = watchLinks((links) => {
      const found = links.find((link) => link.name === name)
      // The first list may arrive before the handle that closes the watch.
      queueMicrotask(() => watching.close())
      const others = links.map((link) => link.name).join(', ')
      if (found === undefined) reject(new Fault(`there is no interface ${name}, only ${others}`))
      else resolve(found)
    })
  })
}

type Asked = { readonly address: Ip; readonly mac: Mac }

/** A broadcast is not an answer to us. */
function arpOwner(frame: Uint8Array, { address, mac }: Asked): Mac | undefined {
  const arp = decodeArp(frame)
  if (!arp.ok || arp.value.operation !== 'reply') return undefined
  const { senderIp, senderMac, targetMac } = arp.value
  return senderIp === address && targetMac === mac ? senderMac : undefined
}

function ndpOwner(frame: Uint8Array, { address, mac }: Asked): Mac | undefined {
  const ndp = decodeNdp(frame)
  if (!ndp.ok || ndp.value.kind !== 'advertisement') return undefined
  const { target, destinationMac, linkLayer, sourceMac } = ndp.value
  return target === address && destinationMac === mac ? (linkLayer ?? sourceMac) : undefined
}

const ipOr = <T>(text: string, other: T): Ip | T => {
  const ip = parseIp(text)
  return ip.ok ? ip.value : other
}

const arpQuestion = ({ address, source }: Question, { mac }: HostLink): Uint8Array =>
  encodeArp({
    destination: broadcastMac,
    source: mac,
    operation: 'request',
    senderMac: mac,
    senderIp: ipOr(source, noIp),
    targetMac: noMac,
    targetIp: address,
  })

function ndpQuestion(
  { address, source }: Question,
  { mac, linkLocal, name }: HostLink,
): Uint8Array {
  const from = ipOr(source, linkLocal)
  if (from === undefined) throw new Fault(`${name} has no IPv6 address to send from`)
  const group = solicitedNode(address)
  return encodeNdp({
    kind: 'solicitation',
    destinationMac: groupMac(group),
    sourceMac: mac,
    destination: group,
    source: from,
    target: address,
    linkLayer: mac,
  })
}
