// What is a BGPPeer on one node? The same, but for what its annotations leave to the node: one peer
// for all racks (R8.17).
import type { Peer } from '../../model/announcing.ts'
import { peerAnnotations as names } from '../../model/bgpAnnotations.ts'
import type { NodeView } from '../../model/node.ts'
import { familyOf, type Ip, parseIp } from '../../net/ip.ts'
import {
  addressFrom,
  type HostFacts,
  isWritten,
  missingText,
  parseSource,
  type ValueSource,
  writtenOn,
} from './nodeValue.ts'
import { sessionTermsOf } from './sessionTerms.ts'

type Field = keyof typeof names
const fields = ['peerAddress', 'peerASN', 'myASN', 'sourceAddress'] as const
const among: Readonly<Record<Field, readonly ValueSource['kind'][]>> = {
  peerAddress: ['label', 'annotation', 'gateway'],
  peerASN: ['label', 'annotation'],
  myASN: ['label', 'annotation'],
  sourceAddress: ['label', 'annotation', 'interface', 'cidr'],
}

type Lacking = {
  /** The annotation. */
  readonly name: string
  readonly code: 'bad-annotation' | 'peer-value-missing'
  /** Goes on behind the name of the node. */
  readonly message: string
}
type OnNode =
  /** `link`: the interface, where the address is one of the link. */
  { readonly peer: Peer; readonly link: string } | { readonly lacking: readonly Lacking[] }

type FieldValue = { readonly value: string; readonly link?: string } | { readonly lacking: Lacking }

/** `host`: undefined where only the Node is known; what it does not say is taken for granted. */
export function peerOnNode(peer: Peer, node: NodeView, host: HostFacts | undefined): OnNode {
  const { annotations } = peer
  if (annotations === undefined) return { peer, link: peer.interface }
  let after = peer
  let link = peer.interface
  const lacking: Lacking[] = badTerms(peer)
  for (const field of fields) {
    const text = annotations[names[field]]
    if (text === undefined) continue
    const found = findOn({ field, text, node, host, peer: after })
    if (found === undefined) continue
    if ('lacking' in found) lacking.push(found.lacking)
    else {
      link = found.link ?? link
      const isNumber = field === 'peerASN' || field === 'myASN'
      after = { ...after, [field]: isNumber ? Number(found.value) : found.value }
    }
  }
  return lacking.length > 0 ? { lacking } : { peer: after, link }
}

/** What does not depend on a node. */
export function badSources(peer: Peer): readonly Lacking[] {
  const { annotations } = peer
  if (annotations === undefined) return []
  const sources = fields.flatMap((field) => {
    const text = annotations[names[field]]
    const source = text === undefined ? undefined : parseSource(text, among[field])
    return source === undefined || source.ok ? [] : [bad(names[field], source.why)]
  })
  return [...sources, ...badTerms(peer)]
}

const badTerms = (peer: Peer): Lacking[] =>
  sessionTermsOf(peer).bad.map(({ name, message }) => bad(name, message))

const bad = (name: string, why: string): Lacking => ({
  name,
  code: 'bad-annotation',
  message: `${why}: there is no session`,
})

type Asked = {
  readonly field: Field
  readonly text: string
  readonly node: NodeView
  readonly host: HostFacts | undefined
  /** With the address of the peer, which the source has to fit. */
  readonly peer: Peer
}

/** Undefined where nobody here can know. */
function findOn({ field, text, node, host, peer }: Asked): FieldValue | undefined {
  const source = parseSource(text, among[field])
  if (!source.ok) return { lacking: bad(names[field], source.why) }
  const lacks = (message: string): FieldValue => ({
    lacking: { name: names[field], code: 'peer-value-missing', message },
  })
  if (isWritten(source.value)) {
    const value = writtenOn(source.value, node)
    if (value === undefined) return lacks(`has ${missingText(source.value)}`)
    const why = field.endsWith('ASN') ? whyNoAsn(value) : whyNoAddress(value)
    const where = `${source.value.kind} ${text.slice(text.indexOf(':') + 1)}`
    return why === '' ? { value } : lacks(`has ${JSON.stringify(value)} in ${where}: ${why}`)
  }
  if (host === undefined) return undefined
  if (source.value.kind === 'gateway') {
    const { family } = source.value
    const gateway = host.gateways.find(({ address }) => familyOf(address) === family)
    if (gateway === undefined) return lacks(`has ${missingText(source.value)}`)
    return { value: gateway.address, link: gateway.interface }
  }
  const to = parseIp(peer.peerAddress)
  const family = to.ok ? familyOf(to.value) : 'IPv6'
  const address: Ip | undefined = addressFrom(source.value, host, family)
  return address === undefined ? lacks(`has ${missingText(source.value)}`) : { value: address }
}

const whyNoAsn = (text: string): string =>
  /^[1-9][0-9]{0,9}$/.test(text) && Number(text) <= 0xffff_ffff ? '' : 'it is not an AS number'

const whyNoAddress = (text: string): string => (parseIp(text).ok ? '' : 'it is not an address')
