// What does the API server fill in on a Service? Cluster IPs by its families; a status only for a
// load balancer.
import { fromBigInt } from '../net/ip.ts'
import { isRecord, type Json, recordAt } from './json.ts'

const bases = { IPv4: 0x0a600000n, IPv6: 0xfd000010009600000000000000000000n } as const
type Families = readonly (keyof typeof bases)[]

/** Each Service takes the next number in 10.96.0.0/12 and fd00:10:96::/112. */
export function withServiceDefaults(service: Json, number: number): Json {
  const spec = { ...recordAt(service, 'spec') }
  const given = spec['clusterIPs'] ?? (spec['clusterIP'] === undefined ? [] : [spec['clusterIP']])
  if (Array.isArray(given) && given.length === 0 && spec['type'] !== 'ExternalName') {
    const families = familiesOf(spec)
    spec['ipFamilies'] = [...families]
    spec['clusterIPs'] = families.map((family) =>
      fromBigInt(family, bases[family] + BigInt(number)),
    )
  }
  if (spec['type'] === 'LoadBalancer') return { ...service, spec }
  const { loadBalancer: _, ...status } = recordAt(service, 'status')
  return { ...service, spec, status }
}

function familiesOf(spec: Json): Families {
  const listed = Array.isArray(spec['ipFamilies']) ? spec['ipFamilies'] : []
  const given = listed.filter((family) => family === 'IPv4' || family === 'IPv6')
  const policy = spec['ipFamilyPolicy']
  const wantsBoth = policy === 'PreferDualStack' || policy === 'RequireDualStack'
  if (given.length > 1 || (given.length === 1 && !wantsBoth)) return given
  if (!wantsBoth) return ['IPv4']
  return given[0] === 'IPv6' ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6']
}

/** The other fields of an entry (ipMode, ports) stay with their address (M12.2). */
export function ingressOf(service: Json, ips: readonly string[]): Json[] {
  const { ingress } = recordAt(recordAt(service, 'status'), 'loadBalancer')
  const entries = Array.isArray(ingress) ? ingress.filter(isRecord) : []
  return ips.map((ip) => entries.find((entry) => entry['ip'] === ip) ?? { ip })
}
