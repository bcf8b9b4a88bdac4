// How many bytes does it take? Known before it is written, so that long lists are cut in time.
import { familyOf } from '../../net/ip.ts'
import type { Body, Facts, Message, PeerReport, PeerState } from './message.ts'

/** A datagram of an MTU of 1,400 bytes holds this, the seal and the headers of IPv6 and UDP. */
const roomBytes = 1200

const nameSize = (name: string): number => 1 + name.length
const addressSize = (isFour: boolean): number => 1 + (isFour ? 4 : 16)
const reportSize = ({ node, link }: PeerReport): number =>
  nameSize(node) + 8 + nameSize(link ?? '') + 1
const peerStateSize = ({ node }: PeerState): number => nameSize(node) + 8 + 4 + 1

function factsSize({ node, endpoint, links }: Facts): number {
  let size = nameSize(node) + 8 + 4 + 1 + addressSize(familyOf(endpoint.address) === 'IPv4') + 2 + 1
  for (const { name, subnets } of links) {
    size += nameSize(name) + 6 + 1 + 1
    for (const { family } of subnets) size += 1 + addressSize(family === 'IPv4')
  }
  return size
}

function itemSizes(body: Body): readonly number[] {
  switch (body.kind) {
    case 'beat':
      return []
    case 'facts':
      return body.facts.map(factsSize)
    case 'reports':
      return body.reports.map(reportSize)
    case 'digest':
      return body.peerStates.map(peerStateSize)
    case 'want':
      return body.nodes.map(nameSize)
  }
}

function headSize(message: Message): number {
  const sender = 1 + 1 + nameSize(message.from) + 8
  if (message.kind === 'beat') {
    return sender + 4 + nameSize(message.link ?? '') + (message.link === undefined ? 0 : 2)
  }
  return sender + (message.kind === 'digest' ? 1 : 0) + 2
}

export const sizeOf = (message: Message): number =>
  itemSizes(message).reduce((sum, size) => sum + size, headSize(message))

/**
 * As few messages as hold the list; one member's facts alone are never cut. Of a digest only the
 * last part asks for the reply, which is a whole digest.
 */
export function splitMessage(message: Message): readonly Message[] {
  if (message.kind === 'beat') return [message]
  const sizes = itemSizes(message)
  const parts: Message[] = []
  const head = headSize(message)
  let [from, used] = [0, head]
  for (const [at, size] of sizes.entries()) {
    if (at > from && used + size > roomBytes) {
      parts.push(part(message, from, at))
      ;[from, used] = [at, head]
    }
    used += size
  }
  parts.push(from === 0 ? message : part(message, from, sizes.length))
  return parts
}

function part(message: Message, from: number, to: number): Message {
  switch (message.kind) {
    case 'beat':
      return message
    case 'facts':
      return { ...message, facts: message.facts.slice(from, to) }
    case 'reports':
      return { ...message, reports: message.reports.slice(from, to) }
    case 'digest':
      return {
        ...message,
        wantsReply: message.wantsReply && to === message.peerStates.length,
        peerStates: message.peerStates.slice(from, to),
      }
    case 'want':
      return { ...message, nodes: message.nodes.slice(from, to) }
  }
}
