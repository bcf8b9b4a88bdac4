// Which hardware address is this text? Canonical: lower case, colons.
import { type Parsed, parsed, refused } from './parsed.ts'

declare const canonical: unique symbol
export type Mac = string & { readonly [canonical]: true }

const octets = /^[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/

export function parseMac(text: string): Parsed<Mac> {
  const lower = text.toLowerCase()
  if (!octets.test(lower)) return refused(`${JSON.stringify(text)} is not a MAC address`)
  return parsed(lower.replaceAll('-', ':') as Mac)
}
