// What stands in FRR's configuration file? The sections of MetalLB's FRR mode in its order (M6.6).
// The same peers and routes give the same text, and a new route changes only lines of its own.
import type { BfdProfile } from '../../model/announcing.ts'
import type { Family } from '../../net/ip.ts'
import { sessionTermsOf } from '../announce/sessionTerms.ts'
import { type FrrNeighbour, type FrrRouter, familyIn } from './frrRouters.ts'
import { lineNumbers } from './lineNumbers.ts'

type FrrConfig = {
  /** FRR's word. */
  readonly logLevel: string
  readonly hostname: string
  readonly routers: readonly FrrRouter[]
  /** By name. */
  readonly profiles: readonly BfdProfile[]
  /** By BGPPeer. */
  readonly passwords: ReadonlyMap<string, string>
  /** Goes behind everything, as it is. */
  readonly extras: string
}

/** By these names FRR shows them, and would take the numbers for a change. */
const wellKnown: Readonly<Record<string, string>> = {
  '65535:0': 'graceful-shutdown',
  '65535:666': 'blackhole',
  '65535:65281': 'no-export',
  '65535:65282': 'no-advertise',
  '65535:65283': 'local-AS',
  '65535:65284': 'no-peer',
}
const words = { IPv4: 'ip', IPv6: 'ipv6' } as const
const unicast = { IPv4: 'ipv4', IPv6: 'ipv6' } as const
const families = ['IPv4', 'IPv6'] as const
const listLines = { first: 2, last: 0xffff_fffe }
/** The last two of a route map let routes through, and those before say what they carry. */
const mapLines = { first: 1, last: 65_000 }
const lastLine = { IPv4: 65_534, IPv6: 65_535 } as const

/** FRR takes it: `vtysh -C`, and nothing is there twice. */
export function frrText(config: FrrConfig): string {
  const { routers, profiles, extras } = config
  const lines = [
    ...header(config),
    ...routers.flatMap(({ neighbours }) => neighbours.flatMap(filters)),
    ...routers.flatMap((router) => routerLines(router, config.passwords)),
    ...(profiles.length === 0 ? [] : ['bfd', ...profiles.flatMap(profileLines), 'exit']),
    ...(extras === '' ? [] : [extras]),
  ]
  return `${lines.join('\n')}\n`
}

const debugged = [
  'zebra events',
  'zebra nht',
  'zebra kernel',
  'zebra rib',
  'zebra nexthop',
  'bgp neighbor-events',
  'bgp updates',
  'bgp keepalives',
  'bgp nht',
  'bgp zebra',
  'bfd network',
  'bfd peer',
  'bfd zebra',
]

const header = ({ logLevel, hostname }: FrrConfig): readonly string[] => [
  `log stdout ${logLevel}`,
  'log timestamp precision 3',
  ...(logLevel === 'debugging' ? debugged.map((what) => `debug ${what}`) : []),
  `hostname ${hostname}`,
  'ip nht resolve-via-default',
  'ipv6 nht resolve-via-default',
]

/** What some of the routes carry. */
type Mark = { readonly list: string; readonly family: Family; readonly set: string }

function filters(neighbour: FrrNeighbour): readonly string[] {
  const { id } = neighbour
  const marks = marksOf(neighbour)
  const numbers = lineNumbers([...marks.keys()], mapLines)
  const marking = [...marks].flatMap(([list, { mark, prefixes }]) => [
    ...listOf(list, mark.family, prefixes),
    `route-map ${id}-out permit ${numbers.get(list)}`,
    ` match ${words[mark.family]} address prefix-list ${list}`,
    ` ${mark.set}`,
    ' on-match next',
    'exit',
  ])
  const allowing = families.flatMap((family) => {
    const list = `${id}-allowed-${unicast[family]}`
    const prefixes = neighbour.routes.map(({ prefix }) => prefix)
    return [
      ...listOf(
        list,
        family,
        prefixes.filter((prefix) => familyIn(prefix) === family),
      ),
      `route-map ${id}-out permit ${lastLine[family]}`,
      ` match ${words[family]} address prefix-list ${list}`,
      'exit',
    ]
  })
  return [`route-map ${id}-in deny 20`, 'exit', ...marking, ...allowing]
}

/** By name of the list. */
function marksOf(
  neighbour: FrrNeighbour,
): ReadonlyMap<string, { readonly mark: Mark; readonly prefixes: readonly string[] }> {
  const found = new Map<string, { readonly mark: Mark; readonly prefixes: string[] }>()
  for (const route of neighbour.routes) {
    for (const mark of marksOn(neighbour, route)) {
      const known = found.get(mark.list)
      if (known === undefined) found.set(mark.list, { mark, prefixes: [route.prefix] })
      else known.prefixes.push(route.prefix)
    }
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function marksOn(
  { id, peer, localAsn }: FrrNeighbour,
  { prefix, localPref, communities, med, prepend, endpoints }: FrrNeighbour['routes'][number],
): readonly Mark[] {
  const family = familyIn(prefix)
  const mark = (what: string, kind: string, set: string): Mark => {
    const list = `${id}-${what}-${words[family]}-${kind}-prefixes`
    return { list, family, set }
  }
  const isInside = peer.dynamicASN === 'internal' || peer.peerASN === peer.myASN
  const path = Array.from({ length: isInside ? 0 : (prepend ?? 0) }, () => localAsn ?? peer.myASN)
  return [
    ...(localPref === undefined
      ? []
      : [mark(String(localPref), 'localpref', `set local-preference ${localPref}`)]),
    ...communities.map((community) => {
      const numbers = community.replace(/^large:/, '')
      const kind = numbers === community ? 'community' : 'large-community'
      return mark(community, 'community', `set ${kind} ${wellKnown[numbers] ?? numbers} additive`)
    }),
    ...(med === undefined ? [] : [mark(String(med), 'metric', `set metric ${med}`)]),
    ...(path.length === 0
      ? []
      : [mark(String(path.length), 'prepend', `set as-path prepend ${path.join(' ')}`)]),
    ...(endpoints === undefined || endpoints === 0
      ? []
      : [mark(String(endpoints), 'bandwidth', `set extcommunity bandwidth ${endpoints}`)]),
  ]
}

function listOf(name: string, family: Family, prefixes: readonly string[]): readonly string[] {
  const line = (seq: number, what: string) =>
    `${words[family]} prefix-list ${name} seq ${seq} ${what}`
  if (prefixes.length === 0) return [line(1, 'deny any')]
  const numbers = lineNumbers(prefixes, listLines)
  const sorted = [...numbers].sort(([, one], [, other]) => one - other)
  return sorted.map(([prefix, seq]) => line(seq, `permit ${prefix}`))
}

function routerLines(router: FrrRouter, passwords: FrrConfig['passwords']): readonly string[] {
  const { asn, vrf, routerId, neighbours } = router
  return [
    `router bgp ${asn}${vrf === '' ? '' : ` vrf ${vrf}`}`,
    ' no bgp ebgp-requires-policy',
    ' no bgp network import-check',
    ' no bgp default ipv4-unicast',
    ' bgp graceful-restart preserve-fw-state',
    ...(routerId === undefined ? [] : [` bgp router-id ${routerId}`]),
    ...neighbours.flatMap((one) => session(one, passwords.get(one.peer.name))),
    ...families.flatMap((family) => familyLines(router, family)),
    'exit',
  ]
}

function session(neighbour: FrrNeighbour, password: string | undefined): readonly string[] {
  const { peer, where, link, source, localAsn, timers, connectSeconds } = neighbour
  const asn = peer.dynamicASN || String(peer.peerASN)
  const lines = [
    `${peer.interface === '' ? '' : 'interface '}remote-as ${asn}`,
    link !== '' && peer.interface === '' && `interface ${link}`,
    peer.ebgpMultiHop && 'ebgp-multihop',
    sessionTermsOf(peer).hasGtsm && 'ttl-security hops 1',
    localAsn !== undefined && `local-as ${localAsn} no-prepend replace-as`,
    peer.peerPort !== 0 && peer.peerPort !== 179 && `port ${peer.peerPort}`,
    timers && `timers ${timers.keepaliveSeconds} ${timers.holdSeconds}`,
    connectSeconds !== undefined && `timers connect ${connectSeconds}`,
    password !== undefined && `password ${password}`,
    source !== undefined && `update-source ${source}`,
    peer.enableGracefulRestart === true && 'graceful-restart',
    ...(peer.bfdProfile === '' ? [] : ['bfd', `bfd profile ${peer.bfdProfile}`]),
    isNearBySix(neighbour) && 'disable-connected-check',
  ]
  return lines
    .filter((line) => typeof line === 'string')
    .map((line) => ` neighbor ${where} ${line}`)
}

/** As MetalLB has it: the router's address may be of the link alone. */
function isNearBySix({ peer, where, families: offered }: FrrNeighbour): boolean {
  const isOutside = peer.dynamicASN === 'external' || peer.peerASN !== peer.myASN
  const isSix = where.includes(':') && offered.length === 1
  return isSix && isOutside && peer.dynamicASN !== 'internal' && !peer.ebgpMultiHop
}

function familyLines({ neighbours }: FrrRouter, family: Family): readonly string[] {
  const offered = neighbours.filter((one) => one.families.includes(family))
  const all = offered.flatMap(({ routes }) => routes.map(({ prefix }) => prefix))
  const prefixes = [...new Set(all)].filter((prefix) => familyIn(prefix) === family).sort()
  if (offered.length === 0) return []
  return [
    ` address-family ${unicast[family]} unicast`,
    ...prefixes.map((prefix) => `  network ${prefix}`),
    ...offered.flatMap(({ where, id }) => [
      `  neighbor ${where} activate`,
      `  neighbor ${where} route-map ${id}-in in`,
      `  neighbor ${where} route-map ${id}-out out`,
    ]),
    ' exit-address-family',
  ]
}

function profileLines(profile: BfdProfile): readonly string[] {
  const given = (word: string, value: number | undefined) =>
    value === undefined ? [] : [`  ${word} ${value}`]
  return [
    ` profile ${profile.name}`,
    ...given('receive-interval', profile.receiveInterval),
    ...given('transmit-interval', profile.transmitInterval),
    ...given('detect-multiplier', profile.detectMultiplier),
    ...(profile.echoMode ? ['  echo-mode'] : []),
    ...given('echo receive-interval', profile.echoInterval),
    ...given('echo transmit-interval', profile.echoInterval),
    ...(profile.passiveMode ? ['  passive-mode'] : []),
    ...given('minimum-ttl', profile.minimumTtl),
    ' exit',
  ]
}
