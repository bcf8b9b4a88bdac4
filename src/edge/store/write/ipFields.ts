// Is the text of a field an address or a network, by the strict rules of current Kubernetes?
import type { FieldError } from '../../../core/model/admission.ts'
import { type Ip, parseIp, toBigInt } from '../../../core/net/ip.ts'
import { parsePrefix, prefixText } from '../../../core/net/range.ts'
import { invalid } from '../../kube/schema/schemaMessages.ts'

type CheckedIp =
  | { readonly ok: true; readonly ip: Ip }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

export function checkIp(path: string, text: string): CheckedIp {
  const refuse = (why: string): CheckedIp => ({ ok: false, errors: [invalid(path, text, why)] })
  const parsed = parseIp(text)
  if (parsed.ok && !isMapped(text)) return { ok: true, ip: parsed.value }
  if (parsed.ok) return refuse('must not be an IPv4-mapped IPv6 address')
  if (parseIp(withoutZeros(text)).ok) return refuse('must not have leading 0s')
  return refuse('must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')
}

const isMapped = (text: string): boolean => text.includes(':') && text.includes('.')

const withoutZeros = (text: string): string => text.replace(/(^|[.:/])0+(?=\d)/g, '$1')

/** Addresses that no other host can use. */
export function checkReachable(path: string, text: string): readonly FieldError[] {
  const checked = checkIp(path, text)
  if (!checked.ok) return checked.errors
  const why = unreachable.find(({ holds }) => holds(checked.ip))?.why
  return why === undefined ? [] : [invalid(path, text, why(text))]
}

type Unreachable = {
  readonly holds: (ip: Ip) => boolean
  readonly why: (text: string) => string
}
const within =
  (...networks: readonly string[]) =>
  (ip: Ip): boolean =>
    networks.some((network) => isWithin(ip, network))

const unreachable: readonly Unreachable[] = [
  {
    holds: (ip) => ip === '0.0.0.0' || ip === '::',
    why: (text) => `may not be unspecified (${text})`,
  },
  {
    holds: within('127.0.0.0/8', '::1/128'),
    why: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    holds: within('169.254.0.0/16', 'fe80::/10'),
    why: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    holds: within('224.0.0.0/24', 'ff02::/16'),
    why: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
]

function isWithin(ip: Ip, network: string): boolean {
  const prefix = parsePrefix(network)
  if (!prefix.ok || ip.includes(':') !== network.includes(':')) return false
  const { base, length } = prefix.value
  const hostBits = BigInt((ip.includes(':') ? 128 : 32) - length)
  return toBigInt(ip) >> hostBits === base >> hostBits
}

export function checkCidr(path: string, text: string): readonly FieldError[] {
  const refuse = (why: string): readonly FieldError[] => [invalid(path, text, why)]
  const parsed = parsePrefix(text)
  if (parsed.ok && isMapped(text)) return refuse('must not have an IPv4-mapped IPv6 address')
  if (parsed.ok) {
    const ip = parseIp(text.slice(0, text.indexOf('/')))
    const base = prefixText(parsed.value).split('/')[0]
    if (ip.ok && ip.value === base) return []
    return refuse('must not have bits set beyond the prefix length')
  }
  if (parsePrefix(withoutZeros(text)).ok) {
    return refuse('must not have leading 0s in IP or prefix length')
  }
  return refuse('must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')
}
