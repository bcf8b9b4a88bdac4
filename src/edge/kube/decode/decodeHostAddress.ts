// Which address does a host have, and in which subnet? `10.0.0.5/24`, as interfaces are written.
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
