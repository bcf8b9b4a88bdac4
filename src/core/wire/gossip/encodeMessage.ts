// How does a gossip message stand on the wire? Before it is sealed; numbers in network order.
//   | version 1 | kind 1 | sender's name | sender's incarnation 8 | then by kind:
//   beat   | sequence 4 | link's name, or 0 | over a link: speakers that are seen 2 |
//   facts  | count 2 | facts (facts.ts) ... |
//   reports | count 2 | node's name, incarnation 8, link's name or 0, 1 heard or 0 silent ... |
//   digest | 1 wants reply or 0 | count 2 | node's name, incarnation 8, version 4, state 1 ... |
//   want   | count 2 | node's name ... |
import { Writer } from '../writer.ts'
import { writeFacts } from './facts.ts'
import type { Body, Message, PeerReport, PeerState } from './message.ts'
import { writeName } from './name.ts'
import { sizeOf } from './size.ts'

export const wireVersion = 1
const mostSeen = 0xffff
export const kinds: readonly Body['kind'][] = ['beat', 'facts', 'reports', 'digest', 'want']
export const states: readonly PeerState['state'][] = ['alive', 'dead', 'left']

export function encodeMessage(message: Message): Uint8Array {
  const w = new Writer(sizeOf(message))
  w.u8(wireVersion).u8(kinds.indexOf(message.kind))
  writeName(w, message.from)
  w.u64(BigInt(message.incarnation))
  writeBody(w, message)
  return w.done()
}

function writeBody(w: Writer, body: Body): void {
  if (body.kind === 'beat') {
    writeName(w.u32(body.sequence), body.link ?? '')
    if (body.link !== undefined) w.u16(Math.min(body.seen, mostSeen))
    return
  }
  if (body.kind === 'digest') w.u8(body.wantsReply ? 1 : 0)
  writeList(w, body)
}

function writeList(w: Writer, body: Exclude<Body, { kind: 'beat' }>): void {
  switch (body.kind) {
    case 'facts':
      w.u16(body.facts.length)
      for (const facts of body.facts) writeFacts(w, facts)
      break
    case 'reports':
      w.u16(body.reports.length)
      for (const report of body.reports) writeReport(w, report)
      break
    case 'digest':
      w.u16(body.peerStates.length)
      for (const peerState of body.peerStates) writePeerState(w, peerState)
      break
    case 'want':
      w.u16(body.nodes.length)
      for (const node of body.nodes) writeName(w, node)
      break
  }
}

function writeReport(w: Writer, { node, incarnation, link, isHeard }: PeerReport): void {
  writeName(w, node)
  writeName(w.u64(BigInt(incarnation)), link ?? '')
  w.u8(isHeard ? 1 : 0)
}

function writePeerState(w: Writer, { node, incarnation, version, state }: PeerState): void {
  writeName(w, node)
  w.u64(BigInt(incarnation)).u32(version).u8(states.indexOf(state))
}
