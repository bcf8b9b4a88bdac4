// How do decisions reach the API, and how is what it refused read again? Replies enter the World at
// once, so that no decision waits for the watch.

import type { Key, ServiceView } from '../../core/model/service.ts'
import type { World } from '../../core/model/world.ts'
import { nameOfAddress } from '../../core/net/addressName.ts'
import type { Ip } from '../../core/net/ip.ts'
import { decideAddress } from '../../core/policy/decideAddress.ts'
import type { ServiceWrite } from '../../core/policy/decideService.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError, type Fault } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { addressCall, addresses } from './addressCall.ts'
import { servicePatch } from './servicePatch.ts'
import type { Versions } from './versions.ts'

export type RecordParts = {
  readonly api: Api
  readonly world: World
  readonly versions: Versions
  /** RFC 3339, of the machine's clock: for transition times alone. */
  readonly timestamp: () => string
  readonly sleep: (ms: number) => Promise<void>
}

const services: Resource = { group: '', version: 'v1', plural: 'services' }

export class Records {
  readonly #parts: RecordParts

  constructor(parts: RecordParts) {
    this.#parts = parts
  }

  async writeAddress(ip: Ip): Promise<void> {
    const { api, world } = this.#parts
    const name = nameOfAddress(ip)
    const write = decideAddress(world, ip)
    if (write === undefined) return
    const reply = await api.call(addressCall(write, world.all('Address').get(name)))
    if (write.type === 'delete') world.apply({ type: 'delete', kind: 'Address', key: name })
    else this.#enter(reply)
  }

  async writeService(view: ServiceView, write: ServiceWrite): Promise<void> {
    const { api, timestamp } = this.#parts
    const reply = await api.call({
      method: 'PATCH',
      path: pathOf(services, view.name, 'status', view.namespace),
      contentType: 'application/strategic-merge-patch+json',
      body: servicePatch(view, write, timestamp()),
    })
    this.#enter(reply)
  }

  /** A conflict is over once the objects have been read; any other fault wants time. */
  async readAgain(key: Key | undefined, ips: readonly Ip[], fault: Fault): Promise<void> {
    const { sleep } = this.#parts
    const isOutdated = fault instanceof ApiError && [404, 409, 422].includes(fault.code)
    if (!isOutdated) await sleep(fault instanceof ApiError ? (fault.retryAfterMs ?? 1_000) : 1_000)
    try {
      for (const ip of ips)
        await this.#read('Address', pathOf(addresses, nameOfAddress(ip)), nameOfAddress(ip))
      if (key === undefined) return
      const [namespace = '', name = ''] = key.split('/')
      await this.#read('Service', pathOf(services, name, undefined, namespace), key)
    } catch {
      // The watch will tell; until then the next try is refused in the same way.
      await sleep(1_000)
    }
  }

  async #read(kind: 'Address' | 'Service', path: string, key: string): Promise<void> {
    const { api, world } = this.#parts
    try {
      this.#enter(await api.call({ method: 'GET', path }))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error
      world.apply({ type: 'delete', kind, key })
    }
  }

  #enter(json: unknown): void {
    const { world, versions } = this.#parts
    const decoded = decode(json)
    if (decoded.kind !== 'view' || !versions.isNews(decoded.view, json)) return
    world.apply({ type: 'upsert', view: decoded.view })
  }
}
