// Which speakers does a list name? `host:port` or `node=host:port`, parted by commas; a host is a
// name or an address, IPv6 in brackets, and the port may be left out.
import { lookup } from 'node:dns/promises'
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import type { Discovered, Discovery } from './discovery.ts'

export type ListEntry = {
  readonly node: string | undefined
  readonly host: string
  readonly port: number
}

const entryText =
  /^(?:(?<node>[^=,\s]+)=)?(?:\[(?<six>[^\]]+)\]|(?<host>[^:=\s[\]]+))(?::(?<port>\d+))?$/

export function parseList(text: string, defaultPort: number): Parsed<readonly ListEntry[]> {
  const texts = text.split(',').map((entry) => entry.trim())
  const entries: ListEntry[] = []
  for (const text of texts.filter((entry) => entry !== '')) {
    const entry = parseEntry(text, defaultPort)
    if (!entry.ok) return entry
    entries.push(entry.value)
  }
  return entries.length > 0 ? parsed(entries) : refused('the list is empty')
}

function parseEntry(text: string, defaultPort: number): Parsed<ListEntry> {
  // An IPv6 address may stand without brackets when there is no port.
  const bare = parseIp(text)
  if (bare.ok) return parsed({ node: undefined, host: bare.value, port: defaultPort })
  const groups = entryText.exec(text)?.groups
  const host = groups?.['six'] ?? groups?.['host']
  if (host === undefined) return refused(`${JSON.stringify(text)} is not [node=]host[:port]`)
  if (groups?.['six'] !== undefined && !parseIp(host).ok) {
    return refused(`${JSON.stringify(text)}: ${JSON.stringify(host)} is not an address`)
  }
  const port = groups?.['port'] === undefined ? defaultPort : Number(groups['port'])
  if (port < 1 || port > 65_535) return refused(`${JSON.stringify(text)}: port ${port}`)
  return parsed({ node: groups?.['node'], host, port })
}

/** Names are asked for again and again: an address may change, or come late. */
const againMs = 30_000
const soonMs = 1_000

export const listDiscovery =
  (entries: readonly ListEntry[], clock: Clock): Discovery =>
  async (found, signal) => {
    let told = ''
    while (!signal.aborted) {
      const resolved = await Promise.all(entries.map(resolve))
      const next = foundOf(resolved)
      const text = JSON.stringify(next)
      if (text !== told && !signal.aborted) found(next)
      told = text
      const isWhole = resolved.every(({ endpoint }) => endpoint !== undefined)
      await clock.sleep(isWhole ? againMs : soonMs, signal)
    }
  }

type Resolved = ListEntry & { readonly endpoint: Endpoint | undefined }

async function resolve(entry: ListEntry): Promise<Resolved> {
  const address = await addressOf(entry.host)
  return { ...entry, endpoint: address && { address, port: entry.port } }
}

async function addressOf(host: string): Promise<Ip | undefined> {
  const literal = parseIp(host)
  if (literal.ok) return literal.value
  try {
    const address = parseIp((await lookup(host)).address)
    return address.ok ? address.value : undefined
  } catch {
    return undefined
  }
}

/** One that cannot be found yet is expected all the same, under the name in the list. */
const foundOf = (resolved: readonly Resolved[]): Discovered => ({
  seeds: resolved.flatMap(({ endpoint }) => endpoint ?? []),
  expected: resolved.map(({ node, host, endpoint }) => node ?? endpoint ?? host),
  places: resolved.map(({ node, endpoint }) => ({
    node,
    addresses: endpoint === undefined ? [] : [endpoint.address],
  })),
})
