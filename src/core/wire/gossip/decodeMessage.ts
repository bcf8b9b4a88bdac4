// Which gossip message do these bytes hold? Drawn in encodeMessage.ts; no bytes throw.
import { counted } from '../../../core/net/counted.ts'
import { type Decoded, malformed, Reader } from '../reader.ts'
import { kinds, states, wireVersion } from './encodeMessage.ts'
import { readFacts, readIncarnation } from './facts.ts'
import type { Body, Message, PeerReport, PeerState } from './message.ts'
import { longestLinkName, longestNodeName, readName, readText } from './name.ts'

export function decodeMessage(bytes: Uint8Array): Decoded<Message> {
  const r = new Reader(bytes)
  const [version, code] = [r.u8(), r.u8()]
  if (version !== wireVersion) return malformed(`version ${version}`)
  const kind = kinds[code]
  if (kind === undefined) return malformed(`kind ${code}`)
  const from = readName(r, longestNodeName)
  const incarnation = readIncarnation(r)
  if (from === undefined || incarnation === undefined) return malformed('no sender')
  const body = readBody(r, kind)
  if (r.overran) return malformed(`${kind} cut at ${counted(bytes.length, 'byte')}`)
  if (body === undefined) return malformed(`${kind} with a field out of bounds`)
  if (r.left > 0) return malformed(`${counted(r.left, 'byte')} behind the ${kind}`)
  return { ok: true, value: { ...body, from, incarnation } }
}

function readBody(r: Reader, kind: Body['kind']): Body | undefined {
  switch (kind) {
    case 'beat':
      return readBeat(r)
    case 'facts': {
      const facts = readList(r, readFacts)
      return facts && { kind, facts }
    }
    case 'reports': {
      const reports = readList(r, readReport)
      return reports && { kind, reports }
    }
    case 'digest': {
      const wantsReply = r.u8() === 1
      const peerStates = readList(r, readPeerState)
      return peerStates && { kind, wantsReply, peerStates }
    }
    case 'want': {
      const nodes = readList(r, (within) => readName(within, longestNodeName))
      return nodes && { kind, nodes }
    }
  }
}

function readBeat(r: Reader): Body | undefined {
  const sequence = r.u32()
  const link = readText(r, longestLinkName)
  if (link === undefined) return undefined
  if (link === '') return { kind: 'beat', sequence, link: undefined }
  return { kind: 'beat', sequence, link, seen: r.u16() }
}

function readReport(r: Reader): PeerReport | undefined {
  const node = readName(r, longestNodeName)
  const incarnation = readIncarnation(r)
  const link = readText(r, longestLinkName)
  const heard = r.u8()
  if (node === undefined || incarnation === undefined || link === undefined) return undefined
  return heard > 1
    ? undefined
    : { node, incarnation, link: link || undefined, isHeard: heard === 1 }
}

function readPeerState(r: Reader): PeerState | undefined {
  const node = readName(r, longestNodeName)
  const incarnation = readIncarnation(r)
  const version = r.u32()
  const state = states[r.u8()]
  if (node === undefined || incarnation === undefined || state === undefined) return undefined
  return { node, incarnation, version, state }
}

/** The count is only believed as far as there are bytes: every item takes at least one. */
function readList<T>(r: Reader, read: (r: Reader) => T | undefined): T[] | undefined {
  const count = r.u16()
  if (count > r.left) return r.overran ? [] : undefined
  const list: T[] = []
  for (let at = 0; at < count; at++) {
    const item = read(r)
    if (item === undefined) return undefined
    list.push(item)
  }
  return list
}
