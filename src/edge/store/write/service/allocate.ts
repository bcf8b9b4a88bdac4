// Which cluster IPs and node ports does a Service get? Those that it requests if they are free,
// else any; they are reserved until the write ends.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { done, type Outcome, type Refused } from '../../values/status.ts'
import { withSpec } from '../jsonChange.ts'
import { internalError, invalid as invalidObject } from '../refusals.ts'
import { withBothClusterIps, withCarried } from './carry.ts'
import { withFamilies } from './families.ts'
import type { Holdings, Promised } from './holdings.ts'
import {
  getsNodePorts,
  hasNodePorts,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
} from './needs.ts'
import { ipOf } from './ranges.ts'
import { specOf } from './spec.ts'

type Allocation = {
  readonly holdings: Holdings
  readonly promised: Promised
}

export function allocated(
  allocation: Allocation,
  service: JsonObject,
  before: JsonObject | undefined,
): Outcome<JsonObject> {
  const carried = before === undefined ? service : withCarried(service, before)
  const families = allocation.holdings.networks.map(({ family }) => family)
  const completed = withFamilies(withBothClusterIps(carried, before), before, families)
  if (!completed.ok) return refuse(service, completed.errors)
  const addressed = withClusterIps(allocation, completed.service, before)
  if (!addressed.ok) return addressed
  const ported = withNodePorts(allocation, addressed.value, before)
  return ported.ok ? withHealthPort(allocation, ported.value, before) : ported
}

const refuse = (service: JsonObject, errors: readonly FieldError[]): Refused =>
  invalidObject({ group: '', kind: 'Service' }, textOf(metaOf(service)['name']), errors)

/** It keeps what it had; only new ones must be free. */
function withClusterIps(
  { holdings, promised }: Allocation,
  service: JsonObject,
  before: JsonObject | undefined,
): Outcome<JsonObject> {
  const spec = specOf(service)
  if (!needsClusterIp(spec) || isHeadless(spec)) return done(service)
  const own = new Set(before === undefined ? [] : specOf(before).clusterIPs)
  const given: string[] = []
  for (const [index, family] of spec.ipFamilies.entries()) {
    const asked = spec.clusterIPs[index] ?? ''
    const network = holdings.networks.find((one) => one.family === family)
    const ip = asked === '' ? network?.free((one) => holdings.isIpTaken(one)) : ipOf(asked)
    if (ip === undefined || network === undefined) {
      const name = textOf(metaOf(service)['name'])
      return internalError(`failed to allocate a serviceIP for Service "${name}": range is full`)
    }
    if (asked !== '' && !own.has(asked)) {
      const why = !network.has(ip)
        ? 'the provided network does not match the current range'
        : holdings.isIpTaken(ip) && 'provided IP is already allocated'
      if (why !== false) return refuse(service, [ofClusterIps(spec.clusterIPs, asked, why)])
    }
    if (!own.has(asked)) holdings.promiseIp(promised, ip)
    given.push(asked === '' ? ip : asked)
  }
  if (given.length === 0) return done(service)
  return done(withSpec(service, { clusterIP: given[0], clusterIPs: given }))
}

const ofClusterIps = (clusterIPs: readonly string[], asked: string, why: string): FieldError =>
  invalid('spec.clusterIPs', clusterIPs, `failed to allocate IP ${asked}: ${why}`)

function withNodePorts(
  allocation: Allocation,
  service: JsonObject,
  before: JsonObject | undefined,
): Outcome<JsonObject> {
  const spec = specOf(service)
  if (!hasNodePorts(spec)) return done(service)
  const own = new Set(before === undefined ? [] : specOf(before).ports.map((one) => one.nodePort))
  const byPort = new Map<number, number>()
  const wantedOf = before === undefined ? requested(spec.ports) : new Map<number, number>()
  const given = new Set<number>()
  const ports: JsonObject[] = []
  for (const [index, port] of recordsOf(recordOf(service['spec'])['ports']).entries()) {
    const { port: number = 0, nodePort: asked = 0 } = spec.ports[index] ?? {}
    // The same port with two protocols has one node port.
    const wanted = asked || byPort.get(number) || wantedOf.get(number) || 0
    if (wanted === 0 && !getsNodePorts(spec)) {
      ports.push(port)
      continue
    }
    const isShared = before === undefined ? byPort.get(number) === wanted : given.has(wanted)
    const isOwn = own.has(wanted) || isShared
    const found = wanted !== 0 && isOwn ? wanted : takePort(allocation, service, wanted)
    if (typeof found === 'string' && wanted === 0) {
      return internalError(`failed to allocate a nodePort: ${found}`)
    }
    if (typeof found === 'string') {
      return refuse(service, [invalid(`spec.ports[${index}].nodePort`, wanted, found)])
    }
    byPort.set(number, found)
    given.add(found)
    ports.push({ ...port, nodePort: found })
  }
  return done(withSpec(service, ports.length === 0 ? {} : { ports }))
}

type Asked = { readonly port: number; readonly nodePort: number }

/** In a new Service, a request of a later entry of the same port applies to earlier ones too. */
const requested = (ports: readonly Asked[]): ReadonlyMap<number, number> =>
  new Map(
    ports
      .filter(({ nodePort }) => nodePort !== 0)
      .toReversed()
      .map(({ port, nodePort }) => [port, nodePort]),
  )

/** The port, or the error. */
function takePort(
  { holdings, promised }: Allocation,
  service: JsonObject,
  wanted: number,
): number | string {
  const port = wanted === 0 ? holdings.freePort() : wanted
  if (port === undefined) return 'range is full'
  if (!holdings.isPortInRange(port)) {
    const range = `The range of valid ports is ${holdings.ports}`
    return `provided port is not in the valid range. ${range}`
  }
  if (holdings.isPortTaken(port)) return 'provided port is already allocated'
  const namespace = textOf(metaOf(service)['namespace'])
  if (holdings.isLeftToOthers(namespace)) {
    return `the last free ports are for other namespaces than ${namespace}, which has many`
  }
  holdings.promisePort(promised, port)
  return port
}

function withHealthPort(
  allocation: Allocation,
  service: JsonObject,
  before: JsonObject | undefined,
): Outcome<JsonObject> {
  const spec = specOf(service)
  const isNew = before === undefined || !needsHealthCheck(specOf(before))
  if (!needsHealthCheck(spec) || !isNew) return done(service)
  const { healthCheckNodePort: wanted } = spec
  const found = takePort(allocation, service, wanted)
  if (typeof found === 'number') return done(withSpec(service, { healthCheckNodePort: found }))
  const what =
    wanted === 0 ? 'a HealthCheck NodePort 0' : `requested HealthCheck NodePort ${wanted}`
  return internalError(`failed to allocate ${what}: ${found}`)
}
