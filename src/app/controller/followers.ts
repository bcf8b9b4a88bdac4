// Which objects follow from decisions? A tenant's pools and status, and how full each pool is; at
// most once a second, however many Services change.

import type { PoolStatus } from '../../core/model/pool.ts'
import { samePool } from '../../core/model/poolSense.ts'
import type { World } from '../../core/model/world.ts'
import { decideTenant, type Made, type TenantStatus } from '../../core/policy/decideTenant.ts'
import { poolStatus } from '../../core/policy/poolStatus.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'

export type FollowerParts = {
  readonly api: Api
  readonly world: World
  readonly timestamp: () => string
  readonly mayWrite: () => boolean
}

const tenants: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'tenants' }
const mergePatch = 'application/merge-patch+json'

export class Followers {
  readonly #parts: FollowerParts

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  get isQuiet(): boolean {
    const { dirty } = this.#parts.world
    return dirty.tenants.size + dirty.pools.size === 0
  }

  /** One round; what fails is looked at again in the next one. */
  async round(): Promise<void> {
    const { world, mayWrite } = this.#parts
    for (const name of taken(world.dirty.tenants)) {
      if (mayWrite()) await this.#tenant(name).catch(() => world.dirty.tenants.add(name))
    }
    for (const name of taken(world.dirty.pools)) {
      if (mayWrite()) await this.#pool(name).catch(() => world.dirty.pools.add(name))
    }
  }

  async #tenant(name: string): Promise<void> {
    const { api, world } = this.#parts
    const { make, unwanted, status } = decideTenant(world, name)
    for (const made of make) if (this.#isMissing(made)) await this.#make(made)
    for (const pool of unwanted) await api.call({ method: 'DELETE', path: this.#poolPath(pool) })
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

  /** Sets our fields and leaves others alone; only on objects that are the tenant's (R4.19). */
  async #make(made: Made): Promise<void> {
    await this.#parts.api.call({
      method: 'PATCH',
      path: this.#poolPath(made.metadata.name),
      query: { fieldManager: 'berth', force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body: made,
    })
  }

  async #report(name: string, wanted: TenantStatus): Promise<void> {
    const { api, timestamp } = this.#parts
    const there = await api.call({ method: 'GET', path: pathOf(tenants, name) }).catch(notFound)
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
    await api.call({ method: 'PATCH', path, contentType: mergePatch, body: { status } })
  }

  async #pool(name: string): Promise<void> {
    const { api, world } = this.#parts
    const [pool, shown] = [world.pools.get(name), world.all('IPAddressPool').get(name)]
    if (pool === undefined || shown === undefined) return
    const wanted = poolStatus(world, pool)
    if (shown.status !== undefined && sameCounts(shown.status, wanted)) return
    const counts = Object.entries(wanted).map(([field, count]) => [field, Number(count)] as const)
    const body = { status: Object.fromEntries(counts) }
    const path = `${this.#poolPath(name)}/status`
    await api.call({ method: 'PATCH', path, contentType: mergePatch, body }).catch(notFound)
  }

  #poolPath(name: string): string {
    const pools: Resource = { group: 'metallb.io', version: 'v1beta1', plural: 'ipaddresspools' }
    return pathOf(pools, name, undefined, this.#parts.world.ownNamespace)
  }
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
