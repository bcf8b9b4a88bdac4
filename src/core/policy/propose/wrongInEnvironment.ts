// What in an environment file fits no Tenant? Each with variable, value and what to write.
import { isDnsLabel } from '../../model/names.ts'
import { linkOf } from '../../model/tenant.ts'
import { familyOf, parseIp } from '../../net/ip.ts'
import { parseRange } from '../../net/range.ts'

export type Environment = ReadonlyMap<string, string>
type Planned = { readonly name: string; readonly vlan?: number; readonly interface: string }
type Given = {
  /** The variables with a prefix of three octets. */
  readonly prefixes: readonly string[]
  readonly networks: readonly Planned[]
  readonly unread: ReadonlySet<string>
}

const namespaces = ['OPENSTACK_NAMESPACE', 'NAMESPACE']

export const namespaceIn = (env: Environment): string =>
  namespaces.map((name) => env.get(name) ?? '').find((text) => text !== '') ?? ''

export function wrongIn(env: Environment, { prefixes, networks, unread }: Given): string[] {
  const values = [...valueChecks, ...prefixes.map((name) => [name, isPrefix, prefixText] as const)]
  const wrong = values.flatMap(([name, isRight, what]) => {
    const text = env.get(name)
    return text === undefined || isRight(text) ? [] : [`${name}=${JSON.stringify(text)}: ${what}`]
  })
  // Numbers that are none make no VLAN: one reason is enough.
  return [
    ...unreadNamespace(env, unread),
    ...wrong,
    ...(wrong.length > 0 ? [] : networks.flatMap(wrongLink)),
  ]
}

/** The defaults of a single control plane would be proposed, in a place that nobody named. */
function unreadNamespace(env: Environment, unread: ReadonlySet<string>): string[] {
  const [first] = namespaces.filter((name) => (env.get(name) ?? '') !== '' || unread.has(name))
  if (first === undefined || !unread.has(first)) return []
  return [`${first}: it cannot be read, so nothing is proposed; write the namespace itself`]
}

function wrongLink({ name, vlan, interface: base }: Planned): string[] {
  if (vlan !== undefined && (vlan < 1 || vlan > 4094)) {
    const why = `network ${name} would have VLAN ${vlan}; write numbers that give 1 to 4094`
    return [`NETWORK_VLAN_START, NETWORK_VLAN_STEP: ${why}`]
  }
  const link = linkOf({ interface: base, vlan })
  if (link.length <= 15) return []
  const variable = vlan === undefined ? 'NNCP_BRIDGE' : 'NNCP_INTERFACE'
  return [
    `${variable}: ${link} of network ${name} is longer than the 15 characters that Linux allows`,
  ]
}

const prefixText = 'write three octets, such as 172.17.0'
const isPrefix = (text: string): boolean => {
  const first = parseIp(`${text}.0`)
  return first.ok && familyOf(first.value) === 'IPv4'
}
const isNumber = (text: string): boolean => /^\d{1,10}$/.test(text)
const isAsn = (text: string): boolean =>
  isNumber(text) && Number(text) >= 1 && Number(text) <= 4_294_967_295
const isMtu = (text: string): boolean =>
  isNumber(text) && Number(text) >= 68 && Number(text) <= 65_535
const isLink = (text: string): boolean => /^[^\s/]+$/.test(text) && text !== '.' && text !== '..'

const range = 'write a range, such as 192.168.122.80-192.168.122.90'
const asNumber = 'write an AS number from 1 to 4294967295'
const namespaceText = 'write the name of a namespace, such as openstack2'
const linkText = 'write the name of an interface, such as enp6s0'
const valueChecks: readonly (readonly [string, (text: string) => boolean, string])[] = [
  ...namespaces.map((name) => [name, isNamespace, namespaceText] as const),
  ['NETWORK_VLAN_START', isNumber, 'write a number'],
  ['NETWORK_VLAN_STEP', isNumber, 'write a number'],
  ['NETWORK_MTU', isMtu, 'write a number from 68 to 65535'],
  ['BGP_ASN', isAsn, asNumber],
  ['BGP_PEER_ASN', isAsn, asNumber],
  ['METALLB_POOL', (text) => parseRange(text).ok, range],
  ['METALLB_IPV6_POOL', (text) => parseRange(text).ok, range],
  ['BGP_LEAF_1', (text) => parseIp(text).ok, 'write an address'],
  ['BGP_LEAF_2', (text) => parseIp(text).ok, 'write an address'],
  ['NNCP_INTERFACE', isLink, linkText],
  ['NNCP_BRIDGE', isLink, linkText],
]

/** Empty is as good as not set. */
function isNamespace(text: string): boolean {
  return text === '' || isDnsLabel(text)
}
