// What is measured? How long a hundred tenants take beside the same writes without any logic, and
// which requests it costs to change one, to restart, and to relabel a thousand namespaces.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { recordAt } from '../../src/core/model/json.ts'
import type { ServiceView } from '../../src/core/model/service.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { isRecord } from '../../src/edge/kube/decode/fields.ts'
import { resourceOf } from '../../src/edge/kube/kinds.ts'
import { until } from '../../test/kube/waits.ts'
import { bareWrites } from '../kube/bare.ts'
import { inParallel } from '../kube/bareClient.ts'
import { berth, type Cost, type Daemon } from '../kube/daemon.ts'
import { type Requests, requestsSince, requestsSoFar } from '../kube/requests.ts'
import type { Seen } from '../kube/seen.ts'
import { clear, readServices, type Town, upTo } from '../kube/town.ts'
import {
  isReady,
  madeFrom,
  namespaces,
  pathTo,
  type Size,
  serviceIn,
  tenantName,
  tenantOf,
  tenantsKind,
} from './estate.ts'

export type Ground = { readonly town: Town; readonly seen: Seen; readonly size: Size }

const patienceMs = 600_000
/** As the controller: 32 Services at a time (docs/bench/controller.md has the server's own curve). */
const atOnce = 32

export type Bare = { readonly writes: number; readonly ms: number }

/** What is made, each Address and status, the statuses of tenants and pools, and the Events. */
export async function bare({ town, size }: Ground): Promise<Bare> {
  const { client } = town
  const made = await madeFrom(size)
  const views = await readServices(town)
  const start = performance.now()
  await inParallel(atOnce, made, (object) => {
    const query = '?fieldManager=berth&force=false'
    const contentType = 'application/apply-patch+yaml'
    return client.send({ method: 'PATCH', path: pathTo(object) + query, contentType, body: object })
  })
  await bareWrites(town, views, { atOnce })
  const poolsMade = made.filter(({ kind }) => kind === 'IPAddressPool')
  const merge = 'application/merge-patch+json'
  await inParallel(atOnce, poolsMade, (pool) => {
    const body = {
      status: { assignedIPv4: 4, availableIPv4: 16, assignedIPv6: 0, availableIPv6: 0 },
    }
    return client.send({
      method: 'PATCH',
      path: `${pathTo(pool)}/status`,
      contentType: merge,
      body,
    })
  })
  await inParallel(atOnce, upTo(0, size.tenants), (number) => {
    const path = pathOf(tenantsKind, tenantName(number), 'status')
    return client.send({ method: 'PATCH', path, contentType: merge, body: statusOf(made, number) })
  })
  const events = views.flatMap((view) =>
    ['IPAllocated', 'Addressed'].map((why) => event(view, why)),
  )
  await inParallel(atOnce, events, (body) => {
    const { namespace } = recordAt(body, 'metadata')
    const path = pathOf(resourceOf('Event', String(namespace)))
    return client.send({ method: 'POST', path, body })
  })
  const writes = made.length + 2 * views.length + poolsMade.length + size.tenants + events.length
  return { writes, ms: performance.now() - start }
}

/** As the controller says it: two of each Service that gets its address. */
function event({ namespace, name, uid }: ServiceView, reason: string): JsonObject {
  const at = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, generateName: `${name}.` },
    involvedObject: { apiVersion: 'v1', kind: 'Service', namespace, name, uid },
    ...{ type: 'Normal', reason, message: 'Assigned IP ["10.0.0.80"]', count: 1 },
    source: { component: 'metallb-controller' },
    ...{ firstTimestamp: at, lastTimestamp: at },
  }
}

const statusOf = (made: readonly JsonObject[], number: number): JsonObject => ({
  status: {
    objects: made
      .filter((object) => {
        const [owner] = recordAt(object, 'metadata')['ownerReferences'] as { name: string }[]
        return owner?.name === tenantName(number)
      })
      .map((object) => ({
        kind: object['kind'],
        name: recordAt(object, 'metadata')['name'],
        state: 'Made',
      })),
  },
})

/** As before `bare`. */
export async function cleared({ town, seen, size }: Ground): Promise<void> {
  await inParallel(32, await madeFrom(size), (object) =>
    town.client.send({ method: 'DELETE', path: pathTo(object) }),
  )
  await inParallel(32, upTo(0, size.tenants), (number) => {
    const path = pathOf(tenantsKind, tenantName(number), 'status')
    const contentType = 'application/merge-patch+json'
    return town.client.send({ method: 'PATCH', path, contentType, body: { status: null } })
  })
  await clear(town)
  await until(
    'no Service has an address',
    () => seen.addressed.size + seen.claims.size === 0 || undefined,
    patienceMs,
  )
}

export type Settled = Cost & {
  /** From the start of the process to the last Service's address, and to the last Tenant's Ready. */
  readonly addressedMs: number
  readonly readyMs: number
  /** To the last Event, when everything has been written. */
  readonly writtenMs: number
  readonly requests: Requests
}

/** The tenants and their Services are there; the controller starts, and is left running. */
export async function settled({ town, seen, size }: Ground): Promise<[Settled, Daemon]> {
  const before = await requestsSoFar(town.kube)
  const daemon = berth.start(town)
  const count = size.tenants * size.services
  await until(
    `${count} Services have addresses`,
    () => {
      daemon.cost()
      return seen.addressed.size >= count ? true : undefined
    },
    patienceMs,
  )
  await until('every Tenant is Ready', () => allReady(town), patienceMs)
  const readyMs = performance.now() - daemon.startedMs
  await calm(seen)
  const requests = requestsSince(before, await requestsSoFar(town.kube), ['LIST tenants'])
  const addressedMs = seen.lastStatusMs - daemon.startedMs
  const writtenMs = Math.max(readyMs, seen.lastEventMs - daemon.startedMs)
  return [{ addressedMs, readyMs, writtenMs, requests, ...daemon.cost() }, daemon]
}

async function allReady({ api }: Town): Promise<true | undefined> {
  const { items } = recordAt(
    { it: await api.call({ method: 'GET', path: pathOf(tenantsKind) }) },
    'it',
  )
  const tenants = Array.isArray(items) ? items.filter(isRecord) : []
  return tenants.length > 0 && tenants.every(isReady) ? true : undefined
}

/** Events come last, and statuses of pools are put off. */
async function calm({ lastEventMs }: Seen): Promise<void> {
  const last = lastEventMs
  await sleep(Math.max(8_000, 4_000 - (performance.now() - last)))
}

export type Changed = { readonly ms: number; readonly requests: Requests }

/** The first of its networks gets a longer range. */
export async function oneEdited({ town, seen, size }: Ground): Promise<Changed> {
  const before = await requestsSoFar(town.kube)
  const start = performance.now()
  const path = pathOf(tenantsKind, tenantName(0))
  const body = { spec: recordAt(withLonger(tenantOf(0, size)), 'spec') }
  await town.client.send({
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body,
  })
  const pool = pathTo({
    kind: 'IPAddressPool',
    metadata: { name: `${tenantName(0)}-net-0`, namespace: 'metallb-system' },
  })
  await until('its pool is longer', async () => {
    const there = await town.api.call({ method: 'GET', path: pool })
    return JSON.stringify(there).includes('.109') ? true : undefined
  })
  const ms = performance.now() - start
  await calm(seen)
  const own = ['GET ipaddresspools', 'PATCH tenants']
  return { ms, requests: requestsSince(before, await requestsSoFar(town.kube), own) }
}

function withLonger(tenant: JsonObject): JsonObject {
  const spec = recordAt(tenant, 'spec')
  const [first, ...rest] = spec['networks'] as JsonObject[]
  const loadBalancer = ['10.0.0.80-10.0.0.109']
  return { ...tenant, spec: { ...spec, networks: [{ ...first, loadBalancer }, ...rest] } }
}

/** Nothing has changed while no controller ran. */
export async function restarted({ town, seen }: Ground): Promise<[Changed & Cost, Daemon]> {
  const before = await requestsSoFar(town.kube)
  const daemon = berth.start(town)
  const ms = await daemon.ready()
  await calm(seen)
  const requests = requestsSince(before, await requestsSoFar(town.kube), [])
  return [{ ms, requests, ...daemon.cost() }, daemon]
}

/** Every tenth has a Service, which the label gives to a tenant with a pool, or takes from it. */
export async function relabelled({ town, seen }: Ground, count: number): Promise<Changed> {
  const { client } = town
  const names = upTo(0, count).map((number) => `labelled-${number}`)
  await inParallel(8, names, (name) =>
    client.send({ method: 'POST', path: pathOf(namespaces), body: { metadata: { name } } }),
  )
  const served = names.filter((_, at) => at % 10 === 0)
  await client.send({ method: 'POST', path: pathOf(tenantsKind), body: selecting })
  await inParallel(8, served, (namespace) =>
    client.send({
      method: 'POST',
      path: pathOf(resourceOf('Service', namespace)),
      body: serviceIn('shared'),
    }),
  )
  await until('they wait', () => served.every((one) => seen.waiting.has(`${one}/api`)) || undefined)
  await calm(seen)
  const before = await requestsSoFar(town.kube)
  const start = performance.now()
  await inParallel(8, names, (name) =>
    client.send({
      method: 'PATCH',
      path: pathOf(namespaces, name),
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { team: 'selected' } } },
    }),
  )
  const asked = performance.now() - start
  const all = () => served.every((one) => seen.addressed.has(`${one}/api`)) || undefined
  await until('their Services have addresses', all, patienceMs)
  const ms = Math.max(0, seen.lastStatusMs - start - asked)
  await calm(seen)
  return { ms, requests: requestsSince(before, await requestsSoFar(town.kube), []) }
}

const selecting: JsonObject = {
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: 'selected' },
  spec: {
    namespaces: { selector: { matchLabels: { team: 'selected' } } },
    networks: [{ name: 'shared', cidrs: ['10.250.0.0/16'], loadBalancer: ['10.250.1.0/24'] }],
  },
}
