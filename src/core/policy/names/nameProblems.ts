// What is wrong with names? One that two objects give to different addresses, and lines that no
// server can use (R13.7, R13.8).
import type { Host } from '../../model/names/dns.ts'
import { hostsIn, type LeftOut, linesOf } from '../../model/names/hostLines.ts'
import { nameText } from '../../model/names/nameText.ts'
import type { Problem } from '../../model/problem.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { counted } from '../../net/counted.ts'
import { parseIp } from '../../net/ip.ts'

/** What gives names: a DNSData, or a ConfigMap that somebody wrote by hand. */
type Source = {
  readonly object: string
  readonly namespace: string
  readonly selects: string
  readonly hosts: readonly Host[]
  readonly leftOut: readonly LeftOut[]
  /** Where a DNSData keeps its lines. */
  readonly field?: string
}

export function nameProblems(world: ReadonlyWorld): Problem[] {
  const sources = nameSources(world)
  return [...sources.flatMap(unusable), ...claimedTwice(sources)]
}

/** By the text of the object. */
export function nameSources(world: ReadonlyWorld): readonly Source[] {
  const data = [...world.all('DNSData').values()].map(({ key, namespace, selects, hosts }) => ({
    object: `DNSData/${key}`,
    namespace,
    selects: selects.toLowerCase(),
    hosts,
    leftOut: linesOf(hosts).leftOut,
  }))
  const maps = [...world.all('ConfigMap').values()].flatMap((map): Source[] => {
    const { key, namespace, name, selects, text, owner } = map
    if (selects === undefined || owner === `DNSData/${name}`) return []
    const where = { object: `ConfigMap/${key}`, namespace, selects }
    const why = 'there is no such key: the lines must be under the name of the ConfigMap'
    if (text === undefined)
      return [{ ...where, hosts: [], leftOut: [{ where: `data.${name}`, why }] }]
    return [{ ...where, ...hostsIn(text), field: `data.${name}` }]
  })
  return [...data, ...maps].sort((one, other) => (one.object < other.object ? -1 : 1))
}

/** One problem for an object, however many of its lines are wrong. */
function unusable({ object, leftOut, field }: Source): Problem[] {
  const [first] = leftOut
  if (first === undefined) return []
  const more = leftOut.length - 1
  const also = more === 0 ? '' : `, and ${counted(more, 'other')}`
  const { where, why } = first
  const place = field === undefined ? { field: where } : { field }
  const line = field === undefined ? '' : `${where}: `
  const message = `left out: ${line}${why}${also}`
  return [{ code: 'host-unusable', severity: 'warning', object, ...place, message }]
}

type NameSource = { readonly object: string; readonly addresses: Set<string> }

/** Several addresses from one object are meant; so is one address from two. */
function claimedTwice(sources: readonly Source[]): Problem[] {
  const claims = new Map<string, NameSource[]>()
  for (const { object, namespace, selects, hosts } of sources) {
    for (const [name, addresses] of addressesOf(hosts)) {
      const key = `${namespace} ${selects} ${name}`
      const known = claims.get(key)
      if (known === undefined) claims.set(key, [{ object, addresses }])
      else known.push({ object, addresses })
    }
  }
  return [...claims].flatMap(([key, some]) => {
    const [first, ...others] = some
    const name = key.slice(key.lastIndexOf(' ') + 1)
    return others
      .filter((other) => first !== undefined && !isSameSet(first.addresses, other.addresses))
      .map(({ object, addresses }) => ({
        code: 'name-claimed-twice' as const,
        severity: 'warning' as const,
        object,
        message:
          `${name} is ${told(addresses)} here and ` +
          `${told(first?.addresses)} in ${first?.object}`,
      }))
  })
}

function addressesOf(hosts: readonly Host[]): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { ip, hostnames } of hosts) {
    const address = parseIp(ip)
    if (!address.ok) continue
    for (const name of hostnames.map(nameText)) {
      const known = found.get(name) ?? new Set()
      found.set(name, known.add(address.value))
    }
  }
  return found
}

/** A message is read, not scrolled. */
const mostTold = 3

function told(addresses: ReadonlySet<string> = new Set()): string {
  const first: string[] = []
  for (const address of addresses) if (first.push(address) === mostTold) break
  const more = addresses.size - first.length
  return [...first.sort(), ...(more > 0 ? [`${counted(more, 'other')}`] : [])].join(', ')
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item))
