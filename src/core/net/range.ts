// Which addresses does a pool entry contain? A prefix or `first-last`, kept as an interval.
import { bitsOf, type Family, familyOf, fromBigInt, type Ip, parseIp, toBigInt } from './ip.ts'
import { type Parsed, parsed, refused } from './parsed.ts'

export type Range = { readonly family: Family; readonly first: bigint; readonly last: bigint }
export type Prefix = { readonly family: Family; readonly base: bigint; readonly length: number }

/** Host bits are dropped: `198.51.100.10/24` means the whole /24, as in MetalLB. */
export function parsePrefix(text: string): Parsed<Prefix> {
  const slash = text.indexOf('/')
  if (slash < 0) return refused(`${JSON.stringify(text)} has no prefix length`)
  const ip = parseIp(text.slice(0, slash))
  if (!ip.ok) return ip
  const written = text.slice(slash + 1)
  if (!/^(0|[1-9][0-9]{0,2})$/.test(written)) {
    return refused(`${JSON.stringify(text)}: ${JSON.stringify(written)} is not a prefix length`)
  }
  return prefixOf(ip.value, Number(written), text)
}

function prefixOf(ip: Ip, written: number, text: string): Parsed<Prefix> {
  const family = familyOf(ip)
  const isMapped = family === 'IPv4' && text.includes(':')
  if (written > (isMapped ? 128 : bitsOf(family))) {
    return refused(
      `${JSON.stringify(text)}: an ${family} prefix has at most ${bitsOf(family)} bits`,
    )
  }
  if (isMapped && written < 96) {
    return refused(`${JSON.stringify(text)}: an IPv4-mapped prefix has at least 96 bits`)
  }
  return parsed(prefixAround(ip, isMapped ? written - 96 : written))
}

/** The network of that length that contains the address. */
export function prefixAround(ip: Ip, length: number): Prefix {
  const family = familyOf(ip)
  const hostBits = BigInt(bitsOf(family) - length)
  return { family, base: (toBigInt(ip) >> hostBits) << hostBits, length }
}

export function rangeOf({ family, base, length }: Prefix): Range {
  return { family, first: base, last: base + (1n << BigInt(bitsOf(family) - length)) - 1n }
}

export const prefixText = ({ family, base, length }: Prefix): string =>
  `${fromBigInt(family, base)}/${length}`

export function parseRange(text: string): Parsed<Range> {
  const dash = text.indexOf('-')
  if (dash < 0) {
    const prefix = parsePrefix(text)
    return prefix.ok ? apartFromMapped(rangeOf(prefix.value), text) : prefix
  }
  const first = parseIp(text.slice(0, dash).trim())
  if (!first.ok) return refused(`start of ${JSON.stringify(text)}: ${first.why}`)
  const last = parseIp(text.slice(dash + 1).trim())
  if (!last.ok) return refused(`end of ${JSON.stringify(text)}: ${last.why}`)
  const family = familyOf(first.value)
  if (family !== familyOf(last.value)) {
    return refused(`${JSON.stringify(text)} goes from ${family} to ${familyOf(last.value)}`)
  }
  const range = { family, first: toBigInt(first.value), last: toBigInt(last.value) }
  if (range.first > range.last) return refused(`${JSON.stringify(text)} starts after its end`)
  return apartFromMapped(range, text)
}

/** Addresses inside ::ffff:0:0/96 are IPv4: a range across the border would mix families. */
function apartFromMapped(range: Range, text: string): Parsed<Range> {
  const [first, last] = [0xffffn << 32n, (0x10000n << 32n) - 1n]
  const isMixed = range.family === 'IPv6' && range.first <= last && range.last >= first
  return isMixed ? refused(`${JSON.stringify(text)} runs into ::ffff:0:0/96`) : parsed(range)
}
