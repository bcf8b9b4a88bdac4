// Which options of a DNSMasq can change while dnsmasq runs? Servers: they stand in a file of their
// own that it reads again. All others take a restart.
import type { DnsOption } from '../../../core/model/names/dns.ts'

type Files = {
  /** Every option, a line for each, as dnsmasq tests it. */
  readonly all: string
  readonly servers: string
  readonly others: string
}

const isServer = ({ key }: DnsOption): boolean => ['server', 'rev-server', 'local'].includes(key)

const lineOf = ({ key, values }: DnsOption): string =>
  `${key}${values.length === 0 ? '' : `=${values.join(',')}`}\n`

/** `local` is `server` without an address, and only that is taken from the file of servers. */
const asServer = ({ key, values }: DnsOption): DnsOption => ({
  key: key === 'local' ? 'server' : key,
  values,
})

export const filesOf = (options: readonly DnsOption[]): Files => ({
  all: options.map(lineOf).join(''),
  servers: options.filter(isServer).map(asServer).map(lineOf).join(''),
  others: options
    .filter((option) => !isServer(option))
    .map(lineOf)
    .join(''),
})

/** What dnsmasq says of a line, told of the option that it came from. */
export function toldOfOption(options: readonly DnsOption[], said: string): string {
  const [text = '', what = text, line = ''] =
    /^dnsmasq: (.*) at line (\d+) of .*$/m.exec(said) ?? /^dnsmasq: (.*)$/m.exec(said) ?? []
  const at = Number(line) - 1
  const option = options[at]
  if (option === undefined) return what === '' ? 'dnsmasq does not accept the options' : what
  return `spec.options[${at}]: ${JSON.stringify(lineOf(option).trim())} is not accepted: ${what}`
}
