// Did a step change anything for clients? Every Service keeps its address, and exactly one node
// answers for each, by what the speakers report and by what the wire says.

import type { ServiceView } from '../../../../core/model/service.ts'
import { counted } from '../../../../core/net/counted.ts'
import { decodeService } from '../../../../edge/kube/decode/decodeService.ts'
import {
  decodeServiceStatus,
  type StatusKind,
} from '../../../../edge/kube/decode/decodeServiceStatus.ts'
import { listed, Stopped, type Walk, waitFor } from './walk.ts'
import { answersOnWire } from './wire.ts'

/** As it was before a step. */
type Held = {
  readonly services: readonly ServiceView[]
  /** The Services that some node announced on layer 2. */
  readonly announced: ReadonlySet<string>
  /** By BGP, the nodes of each Service. */
  readonly routed: ReadonlyMap<string, ReadonlySet<string>>
}

export async function holdNow(walk: Walk): Promise<Held> {
  const services = await servedNow(walk)
  const announced = new Set((await announcersNow(walk, 'ServiceL2Status')).keys())
  return { services, announced, routed: await announcersNow(walk, 'ServiceBGPStatus') }
}

/** Those that ask for an address, with one or without. */
export async function servicesNow(walk: Walk): Promise<ServiceView[]> {
  const services = (await listed(walk, 'Service')).map((one) => decodeService(one))
  return services.filter(({ isLoadBalancer }) => isLoadBalancer)
}

const servedNow = async (walk: Walk): Promise<ServiceView[]> =>
  (await servicesNow(walk)).filter(({ ingress }) => ingress.length > 0)

/** The nodes of each Service. */
async function announcersNow(walk: Walk, kind: StatusKind): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (const status of await listed(walk, kind, walk.namespace)) {
    const { service, node } = decodeServiceStatus(kind, status)
    if (node !== '') found.set(service, (found.get(service) ?? new Set()).add(node))
  }
  return found
}

/** Stops the walk if an address has changed. */
export async function addressesKept(walk: Walk, { services }: Held): Promise<void> {
  const now = new Map((await servedNow(walk)).map((one) => [one.uid, one]))
  const there = new Set((await listed(walk, 'Service')).map((one) => decodeService(one).uid))
  const moved = services.filter(({ uid, ingress }) => {
    const after = now.get(uid)?.ingress ?? []
    return there.has(uid) && [...after].sort().join() !== [...ingress].sort().join()
  })
  if (moved.length === 0) return
  const [first] = moved
  const after = now.get(first?.uid ?? '')?.ingress.join(', ') || 'none'
  throw new Stopped(
    `the addresses of ${counted(moved.length, 'Service')} changed during this step, such as ` +
      `${first?.key}: from ${first?.ingress.join(', ')} to ${after}`,
  )
}

/** Waits until each Service that was announced is announced by one node; asks the wire as well. */
export async function oneOwnerEach(walk: Walk, held: Held): Promise<void> {
  await waitFor(walk, async () => {
    const now = await announcersNow(walk, 'ServiceL2Status')
    const there = new Set((await servedNow(walk)).map(({ key }) => String(key)))
    const expected = [...held.announced].filter((service) => there.has(service)).sort()
    const silent = expected.filter((service) => !now.has(service))
    const shared = expected.filter((service) => (now.get(service)?.size ?? 0) > 1)
    if (silent.length > 0) {
      return `no node announces ${counted(silent.length, 'Service')}, such as ${silent[0]}`
    }
    if (shared.length === 0) return ''
    const nodes = [...(now.get(shared[0] ?? '') ?? [])].sort().join(' and ')
    return `${nodes} both announce ${shared[0]}, and so for ${counted(shared.length, 'Service')}`
  })
  await wireAgrees(walk, held)
}

/** Waits until each node that routers had for a Service is one of those that announce it again. */
export async function routedAsBefore(walk: Walk, { routed }: Held): Promise<void> {
  if (routed.size === 0) return
  await waitFor(walk, async () => {
    const now = await announcersNow(walk, 'ServiceBGPStatus')
    const there = new Set((await servedNow(walk)).map(({ key }) => String(key)))
    const missing = [...routed]
      .filter(([service]) => there.has(service))
      .flatMap(([service, nodes]) =>
        [...nodes].filter((node) => now.get(service)?.has(node) !== true).map((n) => [service, n]),
      )
    const [first] = missing
    if (first === undefined) return ''
    const [service, node] = first
    return (
      `${node} no longer announces ${service} by BGP, ` +
      `and so for ${counted(missing.length, 'route')}`
    )
  })
}

async function wireAgrees(walk: Walk, { services, announced }: Held): Promise<void> {
  const addresses = [
    ...new Set(services.filter(({ key }) => announced.has(key)).flatMap(({ ingress }) => ingress)),
  ].sort()
  if (!walk.asksWire || addresses.length === 0) return
  let [asked, unasked] = [0, '']
  await waitFor(walk, async () => {
    const { answers, why } = await answersOnWire(addresses)
    ;[asked, unasked] = [answers.size, why]
    const wrong = [...answers].filter(([, macs]) => macs.size !== 1)
    const [first] = wrong
    if (first === undefined) return ''
    const [address, macs] = first
    const who = macs.size === 0 ? 'nobody answers' : `${[...macs].sort().join(' and ')} answer`
    const all = counted(wrong.length, 'address', 'addresses')
    return `${who} for ${address}; ${all} in all without exactly one answer`
  })
  const left = counted(addresses.length - asked, 'address', 'addresses')
  if (asked > 0) {
    const told = counted(asked, 'address', 'addresses')
    walk.io.err(`  asked on the wire: ${told}, one answer each\n`)
  }
  if (asked < addresses.length) walk.io.err(`  not asked on the wire: ${left} (${unasked})\n`)
}
