// Which names do Services have? Those of a namespace are one DNSData for each of its DNS servers
// (R13.5).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { Changed } from '../../model/changed.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { DnsMasq, Host } from '../../model/names/dns.ts'
import type { ServiceView } from '../../model/service.ts'
import type { View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { KeptDecider } from '../decider.ts'
import { madeFromDns } from './madeFromDns.ts'

export const serviceNames: KeptDecider = {
  name: 'service-names',
  kind: 'DNSMasq',
  reads: ['DNSMasq', 'DNSData', 'Service'],
  isPrompt: true,
  wakes: woken,
  decide(world, key) {
    const server = world.all('DNSMasq').get(key)
    if (server === undefined || server.isGoing) return { writes: [] }
    const object = serviceData(world, server)
    return { writes: [{ type: 'apply', object, isRequired: true }], againInS: 300 }
  },
}

function woken(changed: Changed, world: ReadonlyWorld): Iterable<string> {
  if (changed.type !== 'object') return []
  if (changed.kind === 'DNSMasq') return [changed.key]
  const { before, after } = changed
  if (changed.kind === 'DNSData') return ownedBy(before ?? after)
  return isNamed(before) || isNamed(after) ? serversIn(world, changed.key) : []
}

const isNamed = (view: View | undefined): boolean =>
  view?.kind === 'Service' && view.hostname !== undefined

/** Somebody edited or deleted it. */
const ownedBy = (view: View | undefined): string[] =>
  view?.kind === 'DNSData' && view.madeFrom !== '' ? [`${view.namespace}/${view.madeFrom}`] : []

function serversIn(world: ReadonlyWorld, service: string): string[] {
  const [namespace] = service.split('/')
  const servers = [...world.all('DNSMasq').values()]
  return servers.filter((one) => one.namespace === namespace).map(({ key }) => key)
}

export const serviceDataName = ({ name }: Pick<DnsMasq, 'name'>): string => `${name}-svc`

function serviceData(world: ReadonlyWorld, server: DnsMasq): JsonObject {
  const hosts = hostsOf(world.servicesIn(server.namespace))
  return madeFromDns(server, {
    apiVersion: apiVersionOf(apiGroups.openstack),
    kind: 'DNSData',
    name: serviceDataName(server),
    spec: {
      dnsDataLabelSelectorValue: server.selects,
      ...(hosts.length === 0 ? {} : { hosts }),
    },
  })
}

/** By address; an ingress that is a host name has none, and stands in nobody's way. */
function hostsOf(services: readonly ServiceView[]): readonly Host[] {
  const names = new Map<string, string[]>()
  for (const { isLoadBalancer, hostname, ingress } of services) {
    if (!isLoadBalancer || hostname === undefined) continue
    for (const ip of ingress) {
      const known = names.get(ip)
      if (known === undefined) names.set(ip, [hostname])
      else known.push(hostname)
    }
  }
  return [...names]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([ip, hostnames]) => ({ ip, hostnames: hostnames.toSorted() }))
}
