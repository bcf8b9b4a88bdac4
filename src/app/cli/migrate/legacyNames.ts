// Which name does a pool or profile of a ConfigMap get (M8.2)? The same as by MetalLB's converter.
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'
import type { Fields } from '../../../edge/kube/decode/fields.ts'

const fits = /^[a-z][-a-z0-9]{0,61}[a-z0-9]$/
const longest = 63

/** Shortened, in lower case, with `-` for `_`, starting at the first letter. */
function resourceName(name: string): Parsed<string> {
  if (fits.test(name)) return parsed(name)
  const plain = name.slice(0, longest).toLowerCase().replaceAll('_', '-')
  const first = plain.search(/[a-z]/)
  if (first < 0) return refused(`${JSON.stringify(name)} has no letter that a name can start with`)
  return parsed(plain.slice(first))
}

/** Empty for a name that resourceName refuses; then nothing is printed. */
export const nameOf = (name: string): string => {
  const made = resourceName(name)
  return made.ok ? made.value : ''
}

/** Which names change, and which cannot be used at all. */
export function renamings(config: Fields): { notes: string[]; errors: string[] } {
  const pools = config.each('address-pools').map((pool) => pool.text('name'))
  const profiles = [
    ...config.each('bfd-profiles').map((profile) => profile.text('name')),
    ...config.each('peers').map((peer) => peer.text('bfd-profile')),
  ].filter((name) => name !== '')
  const named = [
    ...[...new Set(pools)].map((name) => ({ what: 'pool', name })),
    ...[...new Set(profiles)].map((name) => ({ what: 'BFD profile', name })),
  ]
  const [notes, errors]: [string[], string[]] = [[], []]
  for (const { what, name } of named) {
    const made = resourceName(name)
    const asked = what === 'pool' ? '; update Services that request it by name' : ''
    if (!made.ok) errors.push(`${what} ${made.why}`)
    else if (made.value !== name) notes.push(`${what} ${name} is now ${made.value}${asked}`)
  }
  return { notes, errors }
}
