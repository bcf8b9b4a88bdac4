// How do many hosts claim addresses in few writes (R12.5)? A block is written for all that were
// decided meanwhile; whoever is named in it goes only once the API says that it is gone, and nobody
// is named beside it unless the API says that the address is theirs too.
import { type BlockHolder, keyOfBlockHolder } from '../../core/model/ipam/addressBlock.ts'
import type { World } from '../../core/model/world.ts'
import { type BlockWrite, decideBlock } from '../../core/policy/ipam/decideBlock.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import type { NodeRecords } from './nodeRecords.ts'

type ClaimParts = {
  readonly world: World
  readonly records: Pick<NodeRecords, 'writeBlock' | 'read'>
  readonly timestamp: () => string
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
}

type Line = { current: Promise<void>; next: Promise<void> | undefined; lastMs: number }

/** The first is written at once; what comes soon after goes together. */
const paceMs = 250
const [mostTries, mostGone, mostChecked] = [8, 10_000, 16]

export class BlockClaims {
  readonly #parts: ClaimParts
  readonly #lines = new Map<string, Line>()
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
    throw new Fault(`AddressBlock ${block}: somebody else keeps writing it`)
  }

  /** Verifying takes a while, and what is to be written may be another thing by then. */
  async #verified(block: string): Promise<BlockWrite | undefined> {
    const { world, timestamp } = this.#parts
    const checked = new Set<string>()
    for (;;) {
      const write = decideBlock(world, block, timestamp())
      const named = [...(write?.dropped ?? []), ...disputed(world, write)]
      const doubtful = named.filter((one) => this.#isDoubtful(one, checked))
      if (doubtful.length === 0) return write
      const some = doubtful.slice(0, mostChecked)
      await Promise.all(some.map((one) => this.#check(one)))
      for (const one of some) checked.add(idOf(one))
    }
  }

  #isDoubtful(holder: BlockHolder, checked: ReadonlySet<string>): boolean {
    return !checked.has(idOf(holder)) && !(holder.uid !== '' && this.#gone.has(holder.uid))
  }

  /** Whatever the API has enters the World, and what is there is not dropped then. */
  async #check(holder: BlockHolder): Promise<void> {
    const { records } = this.#parts
    const key = keyOfBlockHolder(holder)
    const ipSet = await records.read('IPSet', key)
    const reservation = await records.read('Reservation', key)
    const isThere = ipSet?.kind === 'IPSet' && ipSet.uid === holder.uid
    if (isThere || reservation !== undefined || holder.uid === '') return
    if (this.#gone.size >= mostGone) this.#gone.clear()
    this.#gone.add(holder.uid)
  }
}

/** Whom it would name beside another: the Reservation may be gone, unknown to a late watch. */
function disputed(world: World, write: BlockWrite | undefined): readonly BlockHolder[] {
  if (write?.type !== 'put') return []
  const named = world.all('AddressBlock').get(write.name)?.holders ?? []
  const known = new Set(named.map(idOf))
  const taken = new Set(named.map(({ address }) => address))
  return write.holders.filter((one) => taken.has(one.address) && !known.has(idOf(one)))
}

const idOf = (holder: BlockHolder): string => `${holder.address} ${keyOfBlockHolder(holder)}`

/** The object has changed, is there already, or is gone. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && [404, 409, 422].includes(error.code)
