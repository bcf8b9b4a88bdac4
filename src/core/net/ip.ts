// Which address is this text? Parsed once into one canonical spelling (RFC 5952), as Go prints it:
// lower case, the longest run of zero groups as `::`, IPv4-mapped IPv6 as a dotted quad.
import { type Parsed, parsed, refused } from './parsed.ts'

declare const canonical: unique symbol
/** Equal addresses are `===`, work as Map keys and survive JSON. */
export type Ip = string & { readonly [canonical]: true }
export type Family = 'IPv4' | 'IPv6'

const mappedPrefix = 0xffffn << 32n

export const familyOf = (ip: Ip): Family => (ip.includes(':') ? 'IPv6' : 'IPv4')
export const bitsOf = (family: Family): number => (family === 'IPv4' ? 32 : 128)

export function parseIp(text: string): Parsed<Ip> {
  if (!text.includes(':')) {
    // IPv4 has only one spelling, so the text itself is kept.
    return readQuad(text) === undefined ? refused(whyNotQuad(text)) : parsed(text as Ip)
  }
  const value = readGroups(text)
  return typeof value === 'string' ? refused(value) : parsed(fromBigInt('IPv6', value))
}

export function toBigInt(ip: Ip): bigint {
  const value = ip.includes(':') ? readGroups(ip) : readQuad(ip)
  return typeof value === 'bigint' ? value : BigInt(value ?? 0)
}

/** IPv6 values inside ::ffff:0:0/96 become the IPv4 address that they represent. */
export function fromBigInt(family: Family, value: bigint): Ip {
  if (family === 'IPv4') return fromNumber(Number(value))
  if (value >> 32n === mappedPrefix >> 32n) return fromNumber(Number(value & 0xffffffffn))
  return compress(groupsOf(value)) as Ip
}

function fromNumber(value: number): Ip {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}` as Ip
}

function readQuad(text: string): number | undefined {
  let value = 0
  let octet = -1
  let octets = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 46 : text.charCodeAt(at)
    if (code === 46) {
      if (octet < 0) return undefined
      value = value * 256 + octet
      octets++
      octet = -1
    } else if (code >= 48 && code <= 57 && octet !== 0) {
      octet = (octet < 0 ? 0 : octet * 10) + (code - 48)
      if (octet > 255) return undefined
    } else return undefined
  }
  return octets === 4 ? value : undefined
}

function whyNotQuad(text: string): string {
  if (text === '') return 'an address is missing'
  const octets = text.split('.')
  if (!/^[0-9.]+$/.test(text)) return `${JSON.stringify(text)} is not an address`
  if (octets.length !== 4) return `${JSON.stringify(text)} has ${octets.length} parts instead of 4`
  const bad = octets.find((octet) => octet === '' || Number(octet) > 255)
  if (bad !== undefined) return `${JSON.stringify(text)}: ${JSON.stringify(bad)} is not 0 to 255`
  return `${JSON.stringify(text)} has a part with a leading zero`
}

/** The value, or why the text is refused. */
function readGroups(text: string): bigint | string {
  const quoted = JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
  const halves = text.split('::')
  if (text.length > 45 || halves.length > 2) return `${quoted} is not an address`
  const lists: number[][] = []
  for (const [index, half] of halves.entries()) {
    const list = groupsIn(half, index === halves.length - 1)
    if (list === undefined) return `${quoted} is not an address`
    lists.push(list)
  }
  const [head = [], tail = []] = lists
  const given = head.length + tail.length
  if (halves.length === 1 ? given !== 8 : given > 7) return `${quoted} does not have eight groups`
  const groups = [...head, ...new Array<number>(8 - given).fill(0), ...tail]
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}

function groupsIn(half: string, isLast: boolean): number[] | undefined {
  if (half === '') return []
  const parts = half.split(':')
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    if (isLast && index === parts.length - 1 && part.includes('.')) {
      const quad = readQuad(part)
      if (quad === undefined) return undefined
      groups.push(quad >>> 16, quad & 0xffff)
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

function groupsOf(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  )
}

function compress(groups: readonly number[]): string {
  let start = -1
  let longest = 1
  for (let from = 0; from < 8; from++) {
    let length = 0
    while (from + length < 8 && groups[from + length] === 0) length++
    if (length > longest) [start, longest] = [from, length]
  }
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (start < 0) return text(groups)
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + longest))}`
}
