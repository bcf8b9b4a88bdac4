// Which ranges do tenants have on a wire that others may be on (R12.4)? Kept by wire, since it is
// asked about every address that a host could get.
import { contains } from '../../net/intervals.ts'
import { fromBigInt, type Ip } from '../../net/ip.ts'
import type { Range } from '../../net/range.ts'
import type { Tenant } from '../tenant.ts'
import type { WireSources } from './nodeWires.ts'
import { linkWire, wiresNamedIn } from './wireNames.ts'

type OnLink = { readonly tenant: Tenant; readonly ranges: readonly Range[] }

export class LinkRanges {
  readonly #sources: WireSources
  #byWire: Map<string, OnLink[]> | undefined

  constructor(sources: WireSources) {
    this.#sources = sources
  }

  /** After any change of a tenant, or of what Namespaces name. */
  forget(): void {
    this.#byWire = undefined
  }

  /** Whether it is in a range of a tenant that does not list the namespace. */
  isAnothers(wire: string, namespace: string, ip: Ip): boolean {
    return this.lastOfAnothers(wire, namespace, ip) !== undefined
  }

  /** The last address of that range. */
  lastOfAnothers(wire: string, namespace: string, ip: Ip): Ip | undefined {
    const range = this.#rangeBeside(wire, ip, ({ namespaces }) => namespaces.includes(namespace))
    return range === undefined ? undefined : fromBigInt(range.family, range.last)
  }

  /** For one that a selector puts into its tenant, which does not list it. */
  isOutside(wire: string, tenant: string, ip: Ip): boolean {
    return this.#rangeBeside(wire, ip, ({ name }) => name === tenant) !== undefined
  }

  #rangeBeside(wire: string, ip: Ip, isOwn: (tenant: Tenant) => boolean): Range | undefined {
    this.#byWire ??= this.#read()
    for (const { tenant, ranges } of this.#byWire.get(wire) ?? []) {
      const range = isOwn(tenant) ? undefined : ranges.find((one) => contains(one, ip))
      if (range !== undefined) return range
    }
    return undefined
  }

  #read(): Map<string, OnLink[]> {
    const byWire = new Map<string, OnLink[]>()
    for (const tenant of this.#sources.tenants.values()) {
      const named = wiresNamedIn(this.#sources, tenant)
      for (const network of tenant.networks) {
        const { loadBalancer, attachments, nodes, hosts } = network
        const ranges = [...loadBalancer, ...attachments, ...nodes, ...hosts]
        for (const wire of new Set([linkWire(network) ?? [], named].flat())) {
          const known = byWire.get(wire) ?? []
          byWire.set(wire, known)
          known.push({ tenant, ranges })
        }
      }
    }
    return byWire
  }
}
