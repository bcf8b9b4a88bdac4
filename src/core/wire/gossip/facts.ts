// How do a node's facts stand on the wire?
//   | name | incarnation 8 | version 4 | flags 1 | address 5 or 17 | port 2 | links 1 | then each:
//   | name | MAC 6 | flags 1 | subnets 1 | then each: | length 1 | address 5 or 17 |
// An address is its length in octets and the octets, a name its length and the text.
import { bitsOf, familyOf, fromBigInt, type Ip } from '../../net/ip.ts'
import { ipFrom, ipOctets, macFrom, macOctets } from '../../net/octets.ts'
import { type Prefix, prefixAround } from '../../net/range.ts'
import type { Reader } from '../reader.ts'
import type { Writer } from '../writer.ts'
import type { Endpoint, Facts, LinkFacts } from './message.ts'
import { longestLinkName, longestNodeName, readName, writeName } from './name.ts'

export const mostLinks = 64
export const mostSubnets = 16

const [ready, api, leaving] = [1, 2, 4] as const
const [up, used] = [1, 2] as const

export function writeFacts(w: Writer, facts: Facts): void {
  writeName(w, facts.node)
  w.u64(BigInt(facts.incarnation)).u32(facts.version)
  w.u8((facts.isReady ? ready : 0) | (facts.hasApi ? api : 0) | (facts.isLeaving ? leaving : 0))
  writeAddress(w, facts.endpoint.address)
  w.u16(facts.endpoint.port).u8(facts.links.length)
  for (const link of facts.links) writeLink(w, link)
}

export function readFacts(r: Reader): Facts | undefined {
  const node = readName(r, longestNodeName)
  const incarnation = readIncarnation(r)
  const [version, flags] = [r.u32(), r.u8()]
  const endpoint = readEndpoint(r)
  const links = readSeveral(r, mostLinks, readLink)
  if (node === undefined || incarnation === undefined) return undefined
  if (endpoint === undefined || links === undefined) return undefined
  const [isReady, hasApi] = [(flags & ready) !== 0, (flags & api) !== 0]
  const isLeaving = (flags & leaving) !== 0
  return { node, incarnation, version, endpoint, isReady, hasApi, isLeaving, links }
}

/** Whole numbers above 2^53 would be read as their neighbours. */
export function readIncarnation(r: Reader): number | undefined {
  const value = r.u64()
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
}

function writeLink(w: Writer, link: LinkFacts): void {
  writeName(w, link.name)
  w.bytes(macOctets(link.mac))
    .u8((link.isUp ? up : 0) | (link.isUsed ? used : 0))
    .u8(link.subnets.length)
  for (const { family, base, length } of link.subnets) {
    writeAddress(w.u8(length), fromBigInt(family, base))
  }
}

function readLink(r: Reader): LinkFacts | undefined {
  const name = readName(r, longestLinkName)
  const [mac, flags] = [macFrom(r.bytes(6)), r.u8()]
  const subnets = readSeveral(r, mostSubnets, readSubnet)
  if (name === undefined || subnets === undefined) return undefined
  return { name, mac, isUp: (flags & up) !== 0, isUsed: (flags & used) !== 0, subnets }
}

function readSubnet(r: Reader): Prefix | undefined {
  const length = r.u8()
  const address = readAddress(r)
  if (address === undefined || length > bitsOf(familyOf(address))) return undefined
  return prefixAround(address, length)
}

function readEndpoint(r: Reader): Endpoint | undefined {
  const address = readAddress(r)
  const port = r.u16()
  return address === undefined || port === 0 ? undefined : { address, port }
}

function writeAddress(w: Writer, address: Ip): void {
  const octets = ipOctets(address)
  w.u8(octets.length).bytes(octets)
}

function readAddress(r: Reader): Ip | undefined {
  const length = r.u8()
  return length === 4 || length === 16 ? ipFrom(r.bytes(length)) : undefined
}

function readSeveral<T>(
  r: Reader,
  most: number,
  read: (r: Reader) => T | undefined,
): readonly T[] | undefined {
  const count = r.u8()
  if (count > most) return undefined
  const several: T[] = []
  for (let at = 0; at < count; at++) {
    const one = read(r)
    if (one === undefined) return undefined
    several.push(one)
  }
  return several
}
