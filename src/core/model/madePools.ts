// Which pools are made from a tenant or the Site, and as what does each count? As its maker says,
// whatever the API shows of it (R4.19).
import type { Pool } from './pool.ts'
import { poolsOfSite, siteMaker } from './sitePools.ts'
import { isMadeFrom, poolsMadeFrom } from './tenantPools.ts'
import type { ViewOf } from './view.ts'

type Maker = ViewOf<'Tenant' | 'Site'>
type Change = { readonly before: Maker | undefined; readonly after: Maker | undefined }

export class MadePools {
  readonly #namespace: string
  readonly #made = new Map<string, Pool>()
  /** Makers that were deleted: what was made from them goes too, whoever removes it and when. */
  readonly #departed = new Set<string>()

  constructor(namespace: string) {
    this.#namespace = namespace
  }

  /** Answers the names of the pools that may count differently now. */
  change({ before, after }: Change, shown: Iterable<Pool>): ReadonlySet<string> {
    const maker = nameOf(before ?? after)
    const [was, is] = [this.#poolsOf(before), this.#poolsOf(after)]
    if (after === undefined) this.#departed.add(maker)
    else this.#departed.delete(maker)
    for (const pool of was) this.#made.delete(pool.name)
    for (const pool of is) this.#made.set(pool.name, pool)
    const theirs = [...shown].filter(({ madeFrom }) => madeFrom === maker)
    return new Set([...was, ...is, ...theirs].map(({ name }) => name))
  }

  /** `seen` is what the API shows under the name. */
  asUsed(name: string, seen: Pool | undefined): Pool | undefined {
    const shown = this.#departed.has(seen?.madeFrom ?? '') ? undefined : seen
    const made = this.#made.get(name)
    const isMade = made !== undefined && (shown === undefined || isMadeFrom(shown, made.madeFrom))
    return isMade ? made : shown
  }

  /** Empty for what others made. */
  makerOf(name: string, seen: Pool | undefined): string {
    return this.#made.get(name)?.madeFrom ?? seen?.madeFrom ?? ''
  }

  #poolsOf(maker: Maker | undefined): readonly Pool[] {
    if (maker === undefined) return []
    return maker.kind === 'Site'
      ? poolsOfSite(maker, this.#namespace)
      : poolsMadeFrom(maker, this.#namespace)
  }
}

const nameOf = (maker: Maker | undefined): string =>
  maker?.kind === 'Site' ? siteMaker : (maker?.name ?? '')
