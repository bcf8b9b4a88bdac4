// Through which routers does this host send what it knows no other way for? As the kernel's main
// table has it: /proc/net/route and /proc/net/ipv6_route, proc_net(5).
import { readFileSync } from 'node:fs'
import type { Ip } from '../../core/net/ip.ts'
import { ipFrom } from '../../core/net/octets.ts'

type DefaultGateway = { readonly address: Ip; readonly interface: string }
type Route = DefaultGateway & { readonly metric: number }

/** RTF_UP and RTF_GATEWAY */
const viaGateway = 0x3

/** By metric, as the kernel chooses. */
export function defaultGateways(
  read: (file: string) => string = readTable,
): readonly DefaultGateway[] {
  const four = linesOf(read('/proc/net/route')).flatMap(fourIn)
  const six = linesOf(read('/proc/net/ipv6_route')).flatMap(sixIn)
  return [...four, ...six]
    .sort((one, other) => one.metric - other.metric)
    .map(({ address, interface: name }) => ({ address, interface: name }))
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

/** Addresses in the host's order. */
function fourIn(words: readonly string[]): Route[] {
  const [name = '', to = '', gateway = '', flags = '', , , metric = '', mask = ''] = words
  const isDefault = to === '00000000' && mask === '00000000'
  if (!isDefault || !isVia(flags)) return []
  return [{ address: ipFrom(octetsIn(gateway).reverse()), interface: name, metric: Number(metric) }]
}

function sixIn(words: readonly string[]): Route[] {
  const [to = '', length = '', , , gateway = '', metric = '', , , flags = '', name = ''] = words
  const isDefault = /^0{32}$/.test(to) && length === '00'
  if (!isDefault || !isVia(flags)) return []
  const address = ipFrom(octetsIn(gateway))
  return [{ address, interface: name, metric: Number.parseInt(metric, 16) }]
}

const isVia = (flags: string): boolean => (Number.parseInt(flags, 16) & viaGateway) === viaGateway
const octetsIn = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
