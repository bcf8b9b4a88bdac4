// Which address stands for which, in a list that a policy can look up? CEL cannot count with
// addresses, so each one that a network translates is written out.
import { no, type Refusal } from '../../../model/reason.ts'
import { type Network, poolNameOf, type Tenant } from '../../../model/tenant.ts'
import { overlap } from '../../../net/intervals.ts'
import { fromBigInt, type Ip } from '../../../net/ip.ts'
import { type Prefix, type Range, rangeOf } from '../../../net/range.ts'
import { sourceOf } from '../../translate.ts'
import { pooledNetworks } from '../madePool.ts'

/** From what is asked for to what is given, by pool; those of '' count where no pool is named. */
export type Translations = ReadonlyMap<string, ReadonlyMap<Ip, Ip>>

/** More would make a policy that every write of a Service has to wait for. */
const most = 1_000n

export function translationsOf(
  tenant: Tenant,
): { readonly ok: true; readonly tables: Translations } | Refusal {
  if (tenant.requestedAddresses !== 'Translate') return { ok: true, tables: new Map() }
  const shifts = shiftsOf(tenant)
  const size = shifts.reduce((sum, { range }) => sum + range.last - range.first + 1n, 0n)
  if (size > most) {
    return no(
      'translation-does-not-fit',
      `a policy lists every address that it translates, at most ${most}, and the loadBalancer ` +
        `ranges have ${size}: narrow them, set requestedAddresses to Ignore, or render with --by`,
    )
  }
  const tables = new Map<string, Map<Ip, Ip>>([['', new Map()]])
  for (const { name } of pooledNetworks(tenant)) {
    tables.set(poolNameOf(tenant.name, name), new Map())
  }
  for (const { network, source, range, by } of shifts) {
    for (let value = range.first; value <= range.last; value++) {
      const [from, to] = [fromBigInt(range.family, value - by), fromBigInt(range.family, value)]
      // The first in either list counts, also where it leads nowhere (R4.11).
      if (sourceOf(network, from) !== source) continue
      tables.get(poolNameOf(tenant.name, network.name))?.set(from, to)
      const first = tenant.networks.find((one) => sourceOf(one, from) !== undefined)
      if (first === network) tables.get('')?.set(from, to)
    }
  }
  return { ok: true, tables }
}

type Shift = {
  readonly network: Network
  readonly source: Prefix
  readonly range: Range
  readonly by: bigint
}

/** What of the load-balancer ranges can be the outcome of a translation. */
function shiftsOf(tenant: Tenant): readonly Shift[] {
  return pooledNetworks(tenant).flatMap((network) =>
    network.translateFrom.flatMap((source) => {
      const { cidrs, loadBalancer } = network
      const target = cidrs.find(({ family }) => family === source.family)
      if (target === undefined) return []
      const by = target.base - source.base
      // The tenant's own addresses stay as they are.
      if (by === 0n) return []
      return loadBalancer.flatMap((range) => {
        const reached = overlap(range, reachedBy(source, target))
        return reached === undefined ? [] : [{ network, source, range: reached, by }]
      })
    }),
  )
}

/** As many addresses of the target as the source has. */
function reachedBy(source: Prefix, target: Prefix): Range {
  const [{ first, last }, { family, last: end }] = [rangeOf(source), rangeOf(target)]
  const reached = target.base + (last - first)
  return { family, first: target.base, last: reached < end ? reached : end }
}
