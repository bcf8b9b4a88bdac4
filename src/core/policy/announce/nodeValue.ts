// Where does a node find what a BGPPeer leaves to it? In its own labels and annotations, in its
// addresses, or in its default route (R8.17).
import type { InterfaceAddress, NodeView } from '../../model/node.ts'
import { type Family, familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import { isOfLink } from '../../net/linkLocal.ts'
import { type Parsed, parsed, refused } from '../../net/parsed.ts'
import { type Prefix, parsePrefix, rangeOf } from '../../net/range.ts'

export type ValueSource =
  | { readonly kind: 'label' | 'annotation'; readonly key: string }
  | { readonly kind: 'gateway'; readonly family: Family }
  | { readonly kind: 'interface'; readonly name: string }
  | { readonly kind: 'cidr'; readonly prefix: Prefix; readonly text: string }

type Gateway = { readonly address: Ip; readonly interface: string }
/** What a node knows of itself. */
export type HostFacts = {
  readonly addresses: readonly InterfaceAddress[]
  /** Of its default routes, the preferred one first. */
  readonly gateways: readonly Gateway[]
}

type SourceKind = ValueSource['kind']

/** `among`: those that make sense for the field. */
export function parseSource(text: string, among: readonly SourceKind[]): Parsed<ValueSource> {
  const at = text.indexOf(':')
  const [word, rest] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const source = sourceOf(word, rest)
  if (source !== undefined && among.includes(source.kind)) return parsed(source)
  const forms = among.map((kind) => spelt[kind]).join(', ')
  return refused(`${JSON.stringify(text)} is none of ${forms}`)
}

const spelt: Readonly<Record<SourceKind, string>> = {
  label: 'label:KEY',
  annotation: 'annotation:KEY',
  gateway: 'default-gateway, default-gateway:IPv6',
  interface: 'interface:NAME',
  cidr: 'cidr:PREFIX',
}

function sourceOf(word: string, rest: string): ValueSource | undefined {
  if (word === 'default-gateway') {
    const family = rest === '' ? 'IPv4' : rest
    return family === 'IPv4' || family === 'IPv6' ? { kind: 'gateway', family } : undefined
  }
  if (rest === '') return undefined
  if (word === 'label' || word === 'annotation') return { kind: word, key: rest }
  if (word === 'interface') return { kind: 'interface', name: rest }
  const prefix = word === 'cidr' ? parsePrefix(rest) : undefined
  return prefix?.ok ? { kind: 'cidr', prefix: prefix.value, text: rest } : undefined
}

/** Whether a Node object alone says it, wherever that is read. */
export const isWritten = ({ kind }: ValueSource): boolean =>
  kind === 'label' || kind === 'annotation'

export const writtenOn = (source: ValueSource, node: NodeView): string | undefined => {
  if (source.kind === 'label') return node.labels[source.key]
  return source.kind === 'annotation' ? node.annotations?.[source.key] : undefined
}

export function addressFrom(
  source: ValueSource,
  { addresses }: HostFacts,
  family: Family,
): Ip | undefined {
  const own = addresses.filter(({ address }) => familyOf(address) === family && !isOfLink(address))
  if (source.kind === 'interface') {
    return own.find((one) => one.interface === source.name)?.address
  }
  if (source.kind !== 'cidr') return undefined
  const { first, last } = rangeOf(source.prefix)
  const isInside = (ip: Ip) => first <= toBigInt(ip) && toBigInt(ip) <= last
  return source.prefix.family === family
    ? own.find(({ address }) => isInside(address))?.address
    : undefined
}

export function missingText(source: ValueSource): string {
  switch (source.kind) {
    case 'label':
    case 'annotation':
      return `no ${source.kind} ${source.key}`
    case 'gateway':
      return `no default route of ${source.family} with a gateway`
    case 'interface':
      return `no address on ${source.name} of the family of the peer`
    case 'cidr':
      return `no address in ${source.text}`
  }
}
