// What does the API server fill in on a Service? Cluster IPs by its families; a status only for a
// load balancer.
import { type Json, recordAt, textAt, textsAt } from '../model/json.ts'
import { fromBigInt } from '../net/ip.ts'

const bases = { IPv4: 0x0a600000n, IPv6: 0xfd000010009600000000000000000000n } as const
type Families = readonly (keyof typeof bases)[]

/**
 * Each Service takes the next number in 10.96.0.0/12 and fd00:10:96::/112. The families follow its
 * manifest: a second one is added or dropped, the first stays; cluster IPs that it gives are kept.
 */
export function withServiceDefaults(service: Json, number: number, manifest = service): Json {
  const spec = { ...recordAt(service, 'spec') }
  const asked = recordAt(manifest, 'spec')
  const isGiven = textsAt(asked, 'clusterIPs').length > 0 || textAt(asked, 'clusterIP') !== ''
  if (!isGiven && spec['type'] !== 'ExternalName') {
    const held = textsAt(spec, 'clusterIPs')
    const families = familiesOf(asked, held)
    const implied = families.length > 1 ? 'RequireDualStack' : 'SingleStack'
    spec['ipFamilyPolicy'] = asked['ipFamilyPolicy'] ?? implied
    spec['ipFamilies'] = [...families]
    spec['clusterIPs'] = families.map(
      (family) =>
        held.find((ip) => familyOfText(ip) === family) ??
        fromBigInt(family, bases[family] + BigInt(number)),
    )
  }
  if (spec['type'] === 'LoadBalancer') return { ...service, spec }
  const { loadBalancer: _, ...status } = recordAt(service, 'status')
  return { ...service, spec, status }
}

function familiesOf(asked: Json, held: readonly string[]): Families {
  const [first = held.map(familyOfText)[0] ?? 'IPv4', second] = textsAt(asked, 'ipFamilies')
  const policy = asked['ipFamilyPolicy'] ?? (second === undefined ? '' : 'RequireDualStack')
  const wantsBoth = policy === 'PreferDualStack' || policy === 'RequireDualStack'
  if (first === 'IPv6') return wantsBoth ? ['IPv6', 'IPv4'] : ['IPv6']
  return wantsBoth ? ['IPv4', 'IPv6'] : ['IPv4']
}

const familyOfText = (ip: string): keyof typeof bases => (ip.includes(':') ? 'IPv6' : 'IPv4')
