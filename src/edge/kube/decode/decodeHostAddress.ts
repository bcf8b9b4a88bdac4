// Which address does a host have, and in which subnet? `10.0.0.5/24`, as interfaces are written.
import type { InterfaceAddress } from '../../../core/model/node.ts'
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import { type Parsed, parsed } from '../../../core/net/parsed.ts'
import { parsePrefix } from '../../../core/net/range.ts'

export type HostAddress = { readonly address: Ip; readonly prefixLength: number }

export function parseHostAddress(text: string): Parsed<HostAddress> {
  const prefix = parsePrefix(text)
  if (!prefix.ok) return prefix
  const address = parseIp(text.slice(0, text.indexOf('/')))
  if (!address.ok) return address
  return parsed({ address: address.value, prefixLength: prefix.value.length })
}

/** `eth0=10.0.0.5/24,eth1=203.0.113.5/24`; whoever wrote it, invalid parts are skipped. */
export function interfaceAddresses(text: string): readonly InterfaceAddress[] {
  return text.split(',').flatMap((entry) => {
    const [name = '', written = ''] = entry.split('=').map((side) => side.trim())
    const host = parseHostAddress(written)
    return name !== '' && host.ok ? [{ interface: name, ...host.value }] : []
  })
}
