// Through which routers does this host reach a network? As the kernel's main table has it:
// /proc/net/route and /proc/net/ipv6_route, proc_net(5).
import { readFileSync } from 'node:fs'
import { fromBigInt, type Ip } from '../../core/net/ip.ts'
import { ipFrom, ipOctets } from '../../core/net/octets.ts'
import { type Prefix, prefixText } from '../../core/net/range.ts'

export type HostRoute = {
  readonly destination: string
  readonly via: Ip
  readonly interface: string
}
type Measured = HostRoute & { readonly metric: number }

/** RTF_UP and RTF_GATEWAY */
const viaGateway = 0x3

/** By metric, as the kernel chooses. Nothing else is decoded: a table can have a million routes. */
export function routesTo(
  destinations: readonly Prefix[],
  read: (file: string) => string = readTable,
): readonly HostRoute[] {
  const wanted = new Map(destinations.map((one) => [keyOf(one), prefixText(one)]))
  const four = linesOf(read('/proc/net/route')).flatMap((words) => fourIn(words, wanted))
  const six = linesOf(read('/proc/net/ipv6_route')).flatMap((words) => sixIn(words, wanted))
  return [...four, ...six]
    .sort((one, other) => one.metric - other.metric)
    .map(({ destination, via, interface: name }) => ({ destination, via, interface: name }))
}

/** '' where the kernel has no such table, as without IPv6. */
function readTable(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const linesOf = (text: string): readonly string[][] =>
  text.split('\n').map((line) => line.trim().split(/\s+/))

/** As the table writes it: IPv4 and its mask in the host's order, IPv6 with its length. */
function keyOf({ family, base, length }: Prefix): string {
  const octets = ipOctets(fromBigInt(family, base))
  if (family === 'IPv6') return `${hexOf(octets)} ${hexOf(Uint8Array.of(length))}`
  const bits = length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0
  const mask = Uint8Array.of(bits >>> 24, bits >>> 16, bits >>> 8, bits)
  return `${hexOf(octets.reverse())} ${hexOf(mask.reverse())}`.toUpperCase()
}

const hexOf = (octets: Uint8Array): string => Buffer.from(octets).toString('hex')

type Wanted = ReadonlyMap<string, string>

function fourIn(words: readonly string[], wanted: Wanted): readonly Measured[] {
  const [name = '', to = '', gateway = '', flags = '', , , metric = '', mask = ''] = words
  const destination = wanted.get(`${to} ${mask}`)
  if (destination === undefined || !isVia(flags)) return []
  const via = ipFrom(octetsIn(gateway).reverse())
  return [{ destination, via, interface: name, metric: Number(metric) }]
}

function sixIn(words: readonly string[], wanted: Wanted): readonly Measured[] {
  const [to = '', length = '', , , gateway = '', metric = '', , , flags = '', name = ''] = words
  const destination = wanted.get(`${to} ${length}`)
  if (destination === undefined || !isVia(flags)) return []
  const via = ipFrom(octetsIn(gateway))
  return [{ destination, via, interface: name, metric: Number.parseInt(metric, 16) }]
}

const isVia = (flags: string): boolean => (Number.parseInt(flags, 16) & viaGateway) === viaGateway
const octetsIn = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
