// Which BGP communities does an advertisement ask for? Values as written, and aliases for values.
import type { Community } from '../../model/announcing.ts'
import { type Parsed, parsed, refused } from '../../net/parsed.ts'

export type Aliases = ReadonlyMap<string, string>
type Resolved = {
  /** Canonical, each once, in text order. */
  readonly values: readonly string[]
  /** What is neither a value nor an alias that anybody defines. */
  readonly unknown: readonly string[]
}

/** a:b of 16 bits each, or large:a:b:c of 32 bits each (M1.3), without leading zeros. */
export function parseCommunity(text: string): Parsed<string> {
  const sections = text.split(':')
  const isLarge = sections.length === 4 && sections[0] === 'large'
  if (!isLarge && sections.length !== 2) {
    return refused(`${JSON.stringify(text)} is neither a:b nor large:a:b:c`)
  }
  const limit = isLarge ? 0xffffffff : 0xffff
  const numbers = isLarge ? sections.slice(1) : sections
  const bad = numbers.find((section) => !/^[0-9]+$/.test(section) || Number(section) > limit)
  if (bad !== undefined) {
    return refused(`${JSON.stringify(text)}: ${JSON.stringify(bad)} is not 0 to ${limit}`)
  }
  return parsed([...(isLarge ? ['large'] : []), ...numbers.map(Number)].join(':'))
}

/** Admission keeps aliases unique; should one come twice, the object first by name defines it. */
export function aliasesOf(communities: Iterable<Community>): Aliases {
  const aliases = new Map<string, string>()
  for (const { aliases: defined } of [...communities].sort(byName)) {
    for (const { name, value } of defined) if (!aliases.has(name)) aliases.set(name, value)
  }
  return aliases
}

export function resolveCommunities(texts: readonly string[], aliases: Aliases): Resolved {
  const values = new Set<string>()
  const unknown: string[] = []
  for (const text of texts) {
    const community = parseCommunity(aliases.get(text) ?? text)
    if (community.ok) values.add(community.value)
    else unknown.push(text)
  }
  return { values: [...values].sort(), unknown }
}

const byName = (one: Community, other: Community): number => (one.name < other.name ? -1 : 1)
