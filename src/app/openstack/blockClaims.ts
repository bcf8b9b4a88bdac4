// How do many hosts claim addresses in few writes (R12.5)? A block is written for all that were
// decided meanwhile. A holder named in it is removed only once the API says that it is gone, and
// another is added beside it only if the API says that the address is theirs too.
import { type BlockHolder, keyOfBlockHolder } from '../../core/model/ipam/addressBlock.ts'
import type { View } from '../../core/model/view.ts'
import type { World } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { BlockWrite } from '../../core/policy/claims.ts'
import type { BlockDecider } from '../../core/policy/decider.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import type { NodeRecords } from './nodeRecords.ts'

type ClaimParts = {
  readonly world: World
  readonly decider: BlockDecider
  readonly records: Pick<NodeRecords, 'writeBlock' | 'read'>
  readonly timestamp: () => string
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
}

type Shared = { current: Promise<void>; next: Promise<void> | undefined }
type Line = Shared & { lastMs: number }

/** The first is written at once; what comes soon after goes together. */
const paceMs = 250
const [mostTries, mostGone, mostChecked] = [8, 10_000, 16]

export class BlockClaims {
  readonly #parts: ClaimParts
  readonly #lines = new Map<string, Line>()
  readonly #reads = new Map<string, Shared>()
  /** IPSets that the API said are gone: their uids never come back. */
  readonly #gone = new Set<string>()
  #waiting = 0

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  get isQuiet(): boolean {
    return this.#waiting === 0
  }

  /** Resolves once a write that began after the call has made the block right. */
  claim(block: string): Promise<void> {
    const line = this.#lines.get(block) ?? this.#open(block)
    line.next ??= this.#next(block, line)
    return line.next
  }

  /** Resolves once a read that began after the call is in the World: one serves many hosts. */
  read(block: string): Promise<void> {
    const line = this.#reads.get(block) ?? { current: Promise.resolve(), next: undefined }
    this.#reads.set(block, line)
    line.next ??= this.#readNext(block, line)
    return line.next
  }

  async #readNext(block: string, line: Shared): Promise<void> {
    await line.current.catch(() => undefined)
    line.next = undefined
    line.current = this.#parts.records.read('AddressBlock', block).then(() => undefined)
    try {
      await line.current
    } finally {
      if (line.next === undefined) this.#reads.delete(block)
    }
  }

  #open(block: string): Line {
    const line = { current: Promise.resolve(), next: undefined, lastMs: Number.NEGATIVE_INFINITY }
    this.#lines.set(block, line)
    return line
  }

  async #next(block: string, line: Line): Promise<void> {
    const { nowMs, sleep } = this.#parts
    this.#waiting++
    try {
      await line.current.catch(() => undefined)
      const waitMs = line.lastMs + paceMs - nowMs()
      if (waitMs > 0) await sleep(waitMs)
      line.next = undefined
      line.current = this.#write(block, line)
      await line.current
    } finally {
      this.#waiting--
      if (line.next === undefined && this.#lines.get(block) === line) this.#settle(block, line)
    }
  }

  /** Forgotten once it would be written at once again. */
  #settle(block: string, line: Line): void {
    if (line.lastMs + paceMs < this.#parts.nowMs()) this.#lines.delete(block)
  }

  async #write(block: string, line: Line): Promise<void> {
    const { records } = this.#parts
    for (let tries = 0; tries < mostTries; tries++) {
      const write = await this.#verified(block)
      if (write === undefined) return
      try {
        line.lastMs = this.#parts.nowMs()
        await records.writeBlock(write)
        return
      } catch (error) {
        if (!isOutdated(error)) throw error
        await records.read('AddressBlock', block)
      }
    }
    throw new Fault(`AddressBlock ${block}: another writer keeps changing it`)
  }

  /** Verifying takes a while, and the decision may have changed by then. */
  async #verified(block: string): Promise<BlockWrite | undefined> {
    const { world, decider, timestamp } = this.#parts
    const checked = new Set<string>()
    for (;;) {
      const write = decider.record(world, block, timestamp())
      const named = [...(write?.dropped ?? []), ...disputed(world, write)]
      const doubtful = named.filter((one) => this.#isDoubtful(one, checked))
      if (doubtful.length === 0) return write
      const some = doubtful.slice(0, mostChecked)
      await Promise.all(
        some.map(async (one) => {
          if (await this.#check(one)) checked.add(idOf(one))
        }),
      )
    }
  }

  #isDoubtful(holder: BlockHolder, checked: ReadonlySet<string>): boolean {
    return !checked.has(idOf(holder)) && !(holder.uid !== '' && this.#gone.has(holder.uid))
  }

  /**
   * Whatever the API has enters the World, and what is there is not dropped then. Answers false
   * where the World knows otherwise still: a watch told it something while the API was asked.
   */
  async #check(holder: BlockHolder): Promise<boolean> {
    const { world, records } = this.#parts
    const key = keyOfBlockHolder(holder)
    const ipSet = await records.read('IPSet', key)
    const reservation = await records.read('Reservation', key)
    const isSame = (kind: 'IPSet' | 'Reservation', answer: View | undefined) =>
      world.all(kind).has(key) === (answer !== undefined)
    if (!isSame('IPSet', ipSet) || !isSame('Reservation', reservation)) return false
    const isThere = ipSet?.kind === 'IPSet' && ipSet.uid === holder.uid
    if (isThere || reservation !== undefined || holder.uid === '') return true
    if (this.#gone.size >= mostGone) this.#gone.clear()
    this.#gone.add(holder.uid)
    return true
  }
}

/**
 * Whom it would name beside another: the Reservation may be gone, unknown to a late watch. And
 * whose claim would be that of another IPSet of the name: the one that a late watch tells of may
 * be gone.
 */
function disputed(world: World, write: BlockWrite | undefined): readonly BlockHolder[] {
  if (write?.type !== 'put') return []
  const named = world.all('AddressBlock').get(write.name)?.holders ?? []
  const known = new Map(named.map((one) => [idOf(one), one.uid]))
  const perAddress = new Map<Ip, Set<string>>()
  for (const one of [...named, ...write.holders]) {
    const all = perAddress.get(one.address) ?? new Set()
    perAddress.set(one.address, all.add(idOf(one)))
  }
  return write.holders.filter((one) => {
    const uid = known.get(idOf(one))
    return uid === undefined ? (perAddress.get(one.address)?.size ?? 0) > 1 : uid !== one.uid
  })
}

const idOf = (holder: BlockHolder): string => `${holder.address} ${keyOfBlockHolder(holder)}`

/** The object has changed, is there already, or is gone. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && [404, 409, 422].includes(error.code)
