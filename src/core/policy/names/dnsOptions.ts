// Which options of a DNSMasq can change while dnsmasq runs (R13.4)? Servers: they stand in a file
// of their own that it reads again. All others take a restart.
import type { DnsOption } from '../../model/names/dns.ts'
import { bitsOf, familyOf, parseIp } from '../../net/ip.ts'

type Divided = {
  /** As the file of servers has them. */
  readonly servers: string
  /** What dnsmasq reads once, at its start. */
  readonly others: string
}

/** A line for each option in the order given: its key, and its values if it has any. */
export const optionLines = (options: readonly DnsOption[]): string => options.map(lineOf).join('')

const lineOf = ({ key, values }: DnsOption): string =>
  `${key}${values.length === 0 ? '' : `=${values.join(',')}`}\n`

export function dividedOptions(text: string): Divided {
  const lines = text.split('\n').filter((line) => line !== '')
  const textOf = (some: readonly string[]) => some.map((line) => `${line}\n`).join('')
  return {
    servers: textOf(lines.filter(isServer).map(asServer)),
    others: textOf(lines.filter((line) => !isServer(line))),
  }
}

/** `local` is `server` without an address, and only that is taken from the file of servers. */
const asServer = (line: string): string => line.replace(/^local=/, 'server=')

/**
 * Of the file of servers dnsmasq leaves out what it does not understand, and goes on: only what is
 * surely right may stand there. The rest is tested with the other options, which names what is bad.
 */
function isServer(line: string): boolean {
  const [, key = '', value = ''] = /^(server|local|rev-server)=(.*)$/.exec(line) ?? []
  if (key === 'rev-server') return isReverse(value)
  return key !== '' && isForward(value)
}

const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?'
const domains = new RegExp(`^/(?:${label}(?:\\.${label})*/)+`)
const mostInDomain = 250

/** Domains, an address, or both. */
function isForward(value: string): boolean {
  const [named = ''] = domains.exec(value) ?? []
  if (named.split('/').some((domain) => domain.length > mostInDomain)) return false
  const rest = value.slice(named.length)
  return rest === '' ? named !== '' : isUpstream(rest)
}

const isUpstream = (text: string): boolean => {
  const [, address = '', port = '53'] = /^([^#]*)(?:#([1-9]\d{0,4}))?$/.exec(text) ?? []
  return isPlain(address) && Number(port) <= 65_535
}

/** dnsmasq takes fewer spellings than we do. */
const isPlain = (text: string): boolean =>
  /^[0-9a-f.:]+$/i.test(text) && parseIp(text).ok && !/(^|\.)0\d/.test(text)

/** With whole labels of in-addr.arpa or ip6.arpa: of IPv4, dnsmasq before 2.87 takes no other. */
function isReverse(value: string): boolean {
  const [subnet = '', server = '', ...more] = value.split(',')
  const [, address = '', length = ''] = /^([^/]*)\/([1-9]\d{0,2})$/.exec(subnet) ?? []
  const ip = parseIp(address)
  if (more.length > 0 || !ip.ok || !isPlain(address)) return false
  const family = familyOf(ip.value)
  const isWhole = Number(length) % (family === 'IPv4' ? 8 : 4) === 0
  return isWhole && Number(length) <= bitsOf(family) && isUpstream(server)
}

/** What dnsmasq says of a line of a file that has these options, told of the option. */
export function toldOfOption(
  options: readonly DnsOption[],
  { said, tested }: { readonly said: string; readonly tested: string },
): string {
  const [text = '', what = text, at = ''] =
    /dnsmasq: (.*) at line (\d+) of /.exec(said) ?? /dnsmasq: (.*)$/m.exec(said) ?? []
  const line = tested.split('\n')[Number(at) - 1]
  const index = options.findIndex((option) => lineOf(option) === `${line}\n`)
  if (line === undefined || index < 0) {
    return what === '' ? 'dnsmasq does not accept the options' : what
  }
  return `spec.options[${index}]: ${JSON.stringify(line)} is not accepted: ${what}`
}
