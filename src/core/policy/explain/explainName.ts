// Who answers for a name, and with what? Every object that gives it an address, who reads it, and
// what would be asked of others (R13.9).
import type { DnsMasq } from '../../model/names/dns.ts'
import { isHostName } from '../../model/names/hostLines.ts'
import { nameText } from '../../model/names/nameText.ts'
import type { Problem } from '../../model/problem.ts'
import { siteName } from '../../model/site.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { parseIp } from '../../net/ip.ts'
import { nameProblems, nameSources } from '../names/nameProblems.ts'
import { siteAnswer } from './siteAnswers.ts'

export type NameExplanation = {
  readonly name: string
  /** What gives it addresses, in order of the objects' names. */
  readonly given: readonly Given[]
  /** Of its namespaces, or all where nobody gives it. */
  readonly servers: readonly Answering[]
  readonly problems: readonly Problem[]
}
type Given = {
  readonly object: string
  /** The Services that it comes from, where it does. */
  readonly services: readonly string[]
  readonly addresses: readonly string[]
  /** The DNSMasqs that read it, as namespace/name. */
  readonly readBy: readonly string[]
  /** For all names below a domain: what a host is given comes before it. */
  readonly isWide?: true
}
type Answering = {
  readonly server: string
  readonly dnsAddresses: readonly string[]
  /** Addresses from all objects that it reads; empty: nobody gave it any. */
  readonly answer: readonly string[]
  readonly otherwise: string
}

/** Undefined if it is no name. */
export function explainName(world: ReadonlyWorld, written: string): NameExplanation | undefined {
  const name = nameText(written)
  const servers = [...world.all('DNSMasq').values()].sort(byKey)
  const bySite = givenBySite(world, servers, name)
  if (!isHostName(written) && bySite.length === 0) return undefined
  const byObjects = nameSources(world).flatMap((source): Given[] => {
    const { object, namespace, selects } = source
    const addresses = addressesOf(source.hosts, name)
    if (addresses.length === 0) return []
    const readBy = servers.filter((one) => reads(one, namespace, selects)).map(({ key }) => key)
    const services = isMade(world, object) ? servicesNamed(world, namespace, name) : []
    return [{ object, services, addresses, readBy }]
  })
  const given = [...byObjects, ...bySite]
  const reading = new Set(given.flatMap(({ readBy }) => readBy))
  const concerned = servers.filter(({ key }) => reading.size === 0 || reading.has(key))
  return {
    name,
    given,
    servers: concerned.map((server) => answering(server, given, name)),
    problems: nameProblems(world).filter(({ code, message }) => {
      return code === 'name-claimed-twice' && message.startsWith(`${name} `)
    }),
  }
}

/** It answers where a server says that it does (R13.10). */
function givenBySite(
  world: ReadonlyWorld,
  servers: readonly DnsMasq[],
  name: string,
): readonly Given[] {
  const answer = siteAnswer(world, name)
  if (answer === undefined) return []
  const readBy = servers.filter((one) => one.hasSiteNames === true).map(({ key }) => key)
  const { addresses, isWide } = answer
  const object = `Site/${siteName}`
  return [{ object, services: [], addresses, readBy, ...(isWide && { isWide }) }]
}

const byKey = (one: DnsMasq, other: DnsMasq): number => (one.key < other.key ? -1 : 1)

const reads = (server: DnsMasq, namespace: string, selects: string): boolean =>
  server.namespace === namespace && server.selects.toLowerCase() === selects

type Hosts = ReturnType<typeof nameSources>[number]['hosts']

const addressesOf = (hosts: Hosts, name: string): readonly string[] =>
  hosts
    .filter(({ hostnames }) => hostnames.some((one) => nameText(one) === name))
    .flatMap(({ ip }) => {
      const address = parseIp(ip)
      return address.ok ? [address.value] : []
    })

const isMade = (world: ReadonlyWorld, object: string): boolean =>
  [...world.all('DNSData').values()].some(
    ({ key, madeFrom }) => madeFrom !== '' && object === `DNSData/${key}`,
  )

const servicesNamed = (world: ReadonlyWorld, namespace: string, name: string): readonly string[] =>
  world
    .servicesIn(namespace)
    .filter(({ hostname }) => hostname !== undefined && nameText(hostname) === name)
    .map(({ key }) => key)
    .sort()

function answering(server: DnsMasq, given: readonly Given[], name: string): Answering {
  const reads = given.filter(({ readBy }) => readBy.includes(server.key))
  const exact = reads.filter(({ isWide }) => isWide !== true)
  const own = exact.length > 0 ? exact : reads
  const { dnsAddresses } = server.status.fields
  return {
    server: server.key,
    dnsAddresses: Array.isArray(dnsAddresses) ? dnsAddresses.map(String) : [],
    answer: [...new Set(own.flatMap(({ addresses }) => addresses))].sort(),
    otherwise: askedOf(server, name),
  }
}

/** The longest domain decides, as in dnsmasq. */
function askedOf({ options }: DnsMasq, name: string): string {
  const rules = options
    .filter(({ key }) => key === 'server' || key === 'local')
    .flatMap(({ values }) => values)
    .map((value) => {
      const parts = value.split('/')
      const domains = parts.length > 2 ? parts.slice(1, -1) : ['']
      return { domains, to: parts.at(-1) ?? '' }
    })
  const fitting = rules
    .flatMap(({ domains, to }) => domains.map((domain) => ({ domain: nameText(domain), to })))
    .filter(({ domain }) => domain === '' || name === domain || name.endsWith(`.${domain}`))
  const most = Math.max(...fitting.map(({ domain }) => domain.length))
  const to = fitting.filter(({ domain }) => domain.length === most).map((one) => one.to)
  if (to.length === 0) return 'it refuses: it has no server to ask'
  return to.every((one) => one === '')
    ? 'it says that there is no such name'
    : `it asks ${to.filter((one) => one !== '').join(', ')}`
}
