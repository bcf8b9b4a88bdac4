// Which objects follow from decisions? A tenant's pools and status, and how full each pool is; at
// most once a second, however many Services change.

import type { PoolStatus } from '../../core/model/pool.ts'
import { samePool } from '../../core/model/poolSense.ts'
import type { World } from '../../core/model/world.ts'
import { decideTenant, type Made, type TenantStatus } from '../../core/policy/decideTenant.ts'
import { poolStatus } from '../../core/policy/poolStatus.ts'
import type { Api, ApiRequest } from '../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

export type FollowerParts = {
  readonly api: Api
  readonly world: World
  readonly timestamp: () => string
  readonly mayWrite: () => boolean
}

const tenants = resourceOf('Tenant')
const mergePatch = 'application/merge-patch+json'

export class Followers {
  readonly #parts: FollowerParts
  #isWriting = false

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  get isQuiet(): boolean {
    const { dirty } = this.#parts.world
    return !this.#isWriting && dirty.tenants.size + dirty.pools.size === 0
  }

  /** One round; what fails is looked at again in the next one. */
  async round(): Promise<void> {
    const { world } = this.#parts
    this.#isWriting = true
    for (const name of taken(world.dirty.tenants)) {
      await this.#tenant(name).catch(() => world.dirty.tenants.add(name))
    }
    for (const name of taken(world.dirty.pools)) {
      await this.#pool(name).catch(() => world.dirty.pools.add(name))
    }
    this.#isWriting = false
  }

  async #tenant(name: string): Promise<void> {
    const { world } = this.#parts
    const { make, unwanted, status } = decideTenant(world, name)
    for (const made of make) if (this.#isMissing(made)) await this.#make(name, made)
    for (const pool of unwanted) await this.#remove(name, pool)
    if (status !== undefined && world.all('Tenant').has(name)) await this.#report(name, status)
  }

  #isMissing(made: Made): boolean {
    const shown = this.#parts.world.all('IPAddressPool').get(made.metadata.name)
    const wanted = decode(made)
    if (shown === undefined || wanted.kind !== 'view') return true
    if (wanted.view.kind !== 'IPAddressPool') return true
    const { createdAt, labels, status } = shown
    const isLabelled = Object.entries(wanted.view.labels).every(
      ([key, value]) => labels[key] === value,
    )
    return !isLabelled || !samePool(shown, { ...wanted.view, createdAt, labels, status })
  }

  /**
   * Sets our fields and leaves others alone, only on an object that is the tenant's (R4.19). What
   * is not there yet is not forced: if somebody else makes it meanwhile, that is refused.
   */
  async #make(tenant: string, made: Made): Promise<void> {
    const path = this.#poolPath(made.metadata.name)
    const there = await this.#read(path)
    if (there !== undefined && !isMadeFrom(there, tenant)) return
    const metadata = { ...made.metadata, ...(there === undefined ? {} : preconditions(there)) }
    const query = { fieldManager: 'berth', force: String(there !== undefined) }
    const contentType = 'application/apply-patch+yaml'
    await this.#send({ method: 'PATCH', path, query, contentType, body: { ...made, metadata } })
  }

  async #remove(tenant: string, pool: string): Promise<void> {
    const path = this.#poolPath(pool)
    const there = await this.#read(path)
    if (there === undefined || !isMadeFrom(there, tenant)) return
    await this.#send({ method: 'DELETE', path, body: { preconditions: preconditions(there) } })
  }

  async #read(path: string): Promise<unknown> {
    return this.#parts.api.call({ method: 'GET', path }).catch(notFound)
  }

  async #send(request: ApiRequest): Promise<void> {
    const { api, mayWrite } = this.#parts
    if (!mayWrite()) throw new Fault(`${request.method} ${request.path}: not ours to write now`)
    await api.call(request)
  }

  async #report(name: string, wanted: TenantStatus): Promise<void> {
    const { timestamp } = this.#parts
    const there = await this.#read(pathOf(tenants, name))
    if (there === undefined) return
    const before = new Fields(there, []).inner('status')
    const conditions = wanted.conditions.map((condition) => {
      const known = before.each('conditions').find((one) => one.text('type') === condition.type)
      const isSame = known?.text('status') === condition.status
      const since = isSame ? known?.text('lastTransitionTime') : undefined
      return { ...condition, lastTransitionTime: since ?? timestamp() }
    })
    const status = { ...wanted, conditions }
    const current = 'status' in Object(there) ? Object(there).status : undefined
    if (JSON.stringify(sorted(current)) === JSON.stringify(sorted(status))) return
    const path = pathOf(tenants, name, 'status')
    const body = { metadata: preconditions(there), status }
    await this.#send({ method: 'PATCH', path, contentType: mergePatch, body })
  }

  async #pool(name: string): Promise<void> {
    const { world } = this.#parts
    const [pool, shown] = [world.pools.get(name), world.all('IPAddressPool').get(name)]
    if (pool === undefined || shown === undefined) return
    const wanted = poolStatus(world, pool)
    if (shown.status !== undefined && sameCounts(shown.status, wanted)) return
    const path = this.#poolPath(name)
    const there = await this.#read(path)
    if (there === undefined) return
    const counts = Object.entries(wanted).map(([field, count]) => [field, Number(count)] as const)
    const body = { metadata: preconditions(there), status: Object.fromEntries(counts) }
    await this.#send({ method: 'PATCH', path: `${path}/status`, contentType: mergePatch, body })
  }

  #poolPath(name: string): string {
    return pathOf(resourceOf('IPAddressPool'), name, undefined, this.#parts.world.ownNamespace)
  }
}

function preconditions(json: unknown): { uid: string; resourceVersion: string } {
  const metadata = new Fields(json, []).inner('metadata')
  return { uid: metadata.text('uid'), resourceVersion: metadata.text('resourceVersion') }
}

function isMadeFrom(json: unknown, tenant: string): boolean {
  const decoded = decode(json)
  return (
    decoded.kind === 'view' &&
    decoded.view.kind === 'IPAddressPool' &&
    decoded.view.madeFrom === tenant
  )
}

function notFound(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 404) return undefined
  throw error
}

const sameCounts = (one: PoolStatus, other: PoolStatus): boolean =>
  one.assignedIPv4 === other.assignedIPv4 &&
  one.assignedIPv6 === other.assignedIPv6 &&
  one.availableIPv4 === other.availableIPv4 &&
  one.availableIPv6 === other.availableIPv6

function taken(names: Set<string>): string[] {
  const all = [...names].sort()
  names.clear()
  return all
}

/** With keys in one order, so that equal objects have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
