// How do decisions about IPSets become writes? Decided one by one, oldest first, each counting at
// once; claimed together, then written many at a time: Reservation, then status (R12.5).

import { apiVersionOf } from '../../core/model/apiGroups.ts'
import { Bug } from '../../core/model/bug.ts'
import { blockName } from '../../core/model/ipam/addressBlock.ts'
import type { IpSet } from '../../core/model/ipam/ipSet.ts'
import type { NodeIntent } from '../../core/model/ipam/nodeLedger.ts'
import type { Reservation } from '../../core/model/wires.ts'
import type { World } from '../../core/model/world.ts'
import type { Write } from '../../core/model/write.ts'
import type { NodeDecision } from '../../core/policy/claims.ts'
import type { EventWrite } from '../../core/policy/decider.ts'
import type { HostClaims } from '../../core/policy/deciders.ts'
import { keptSecondsLeft } from '../../core/policy/ipam/keep.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { faultFrom } from '../../edge/kube/api/fault.ts'
import { rowOf } from '../../edge/kube/kinds.ts'
import type { About } from '../../edge/kube/write/events.ts'
import { Outdated, type WritePace } from '../../edge/kube/write/writePace.ts'
import type { BlockClaims } from './blockClaims.ts'
import type { NodeRecords } from './nodeRecords.ts'

type WorkerParts = {
  readonly world: World
  readonly deciders: HostClaims
  readonly records: NodeRecords
  readonly claims: BlockClaims
  readonly keep: (write: Write) => Promise<void>
  readonly pace: WritePace
  readonly clock: Clock
  readonly timestamp: () => string
  /** False while it is not ours to write, or not everything is known. */
  readonly mayWrite: () => boolean
  readonly say: (about: About, events: readonly EventWrite[]) => void
  readonly failed: (object: string, error: Error) => void
  readonly parked: (object: string, error: unknown) => void
  readonly decided: (object: string) => void
  /** What the API answered counts, and no event comes for it: others look at what it woke. */
  readonly entered: () => void
}

type Work = {
  /** What it was decided from. */
  readonly view: IpSet
  readonly reservation: Reservation | undefined
  readonly decision: NodeDecision
  readonly blocks: readonly string[]
}

/** Decided and not yet written; more would only wait. Many at a time take few writes of blocks. */
const [mostUnderway, fewUnderway] = [1_000, 500]
/** Begun in one go: the first of all are written before the last are decided. */
const [firstBegun, mostBegun] = [64, 512]
const roundMs = 1_000

export class IpamWorker {
  readonly #parts: WorkerParts
  readonly #underway = new Map<string, Work>()
  /** Blocks that are written for IPSets, and for how many. */
  readonly #busy = new Map<string, number>()
  readonly #again = new Set<string>()
  /** Woken while being written and still short of an address: younger ones wait for them. */
  readonly #next = new Set<string>()
  /** Blocks that have to be looked at, and those for which something is kept until a time. */
  readonly #woken = new Set<string>()
  readonly #later = new Map<string, number>()
  readonly #queued: (() => void)[] = []
  /** Of those that are under way: refused by the API, and waiting to be tried again. */
  readonly #refused = new Set<string>()
  #writing = 0
  #sweeping = 0
  #isResting = false
  #isFull = false
  #signal = new AbortController().signal

  constructor(parts: WorkerParts) {
    this.#parts = parts
    const { world, deciders } = parts
    world.listen((changed) => {
      for (const block of deciders.blocks.wakes(changed, world)) this.#woken.add(block)
    })
  }

  get #writes(): number {
    return this.#underway.size - this.#refused.size
  }

  get isQuiet(): boolean {
    const { world, claims } = this.#parts
    const left = this.#underway.size + this.#sweeping + world.nodeQueue.size + this.#woken.size
    return left === 0 && claims.isQuiet
  }

  /** Whether more writes are due than may be in flight. */
  get isBusy(): boolean {
    const { world, pace } = this.#parts
    return this.#writes >= pace.most || world.nodeQueue.size > 0
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    this.#signal = signal
    while (!signal.aborted) {
      const nowMs = clock.nowMs()
      for (const [block, dueMs] of this.#later) {
        if (dueMs > nowMs) continue
        this.#later.delete(block)
        this.#woken.add(block)
      }
      this.pump()
      await clock.sleep(roundMs, signal)
    }
  }

  /** Decides those that are queued, and begins to write a few of them at a time. */
  pump(): void {
    const { world, mayWrite } = this.#parts
    const most = this.#underway.size + (this.#writes === 0 ? firstBegun : mostBegun)
    while (mayWrite() && this.#hasRoom() && this.#next.size === 0) {
      if (this.#underway.size >= most) {
        void this.#pumpSoon()
        break
      }
      const key = world.nodeQueue.pop()
      if (key === undefined) break
      const work = this.#underway.get(key)
      if (work === undefined) this.#take(key)
      else this.#again.add(key)
      const isWaiting = work?.decision.nodeIntent?.wait !== undefined
      if (isWaiting && !this.#refused.has(key)) this.#next.add(key)
    }
    if (mayWrite()) this.#sweep()
  }

  #hasRoom(): boolean {
    this.#isFull = this.#writes >= (this.#isFull ? fewUnderway : mostUnderway)
    return !this.#isFull
  }

  async #pumpSoon(): Promise<void> {
    if (this.#isResting) return
    this.#isResting = true
    await this.#parts.clock.sleep(0, this.#signal)
    this.#isResting = false
    if (!this.#signal.aborted) this.pump()
  }

  #take(key: string): void {
    const { world, parked, decided } = this.#parts
    const view = world.all('IPSet').get(key)
    if (view === undefined) return
    try {
      const work = this.#decide(view)
      if (work.decision.writes.length + work.blocks.length > 0) void this.#carryOut(key, work)
      else {
        world.apply({ type: 'node', ipSet: key })
        this.#say(work)
      }
      decided(`IPSet ${key}`)
    } catch (error) {
      // Parked: it is looked at again when something about it changes.
      parked(`IPSet ${key}`, error)
    }
  }

  #decide(view: IpSet): Work {
    const { world, deciders, timestamp } = this.#parts
    const reservation = world.all('Reservation').get(view.key)
    const decision = deciders.hosts.decide(world, view.key, timestamp())
    const { nodeIntent, writes } = decision
    if (nodeIntent === undefined) return { view, reservation, decision, blocks: [] }
    // What is recorded and claimed counts by itself: after a restart that is nearly every host.
    const isRecorded = writes.length === 0 && nodeIntent.wait === undefined
    const isClaimed = isRecorded && unclaimed(world, view, nodeIntent).length === 0
    const isSettled = isClaimed && !world.nodes.waiting.has(view.key)
    const change = { type: 'node', ipSet: view.key } as const
    world.apply(isSettled ? change : { ...change, intent: nodeIntent })
    if (isSettled) return { view, reservation, decision, blocks: [] }
    return { view, reservation, decision, blocks: unclaimed(world, view, nodeIntent) }
  }

  /** The one place where a failed write of an IPSet is met. */
  async #carryOut(key: string, work: Work): Promise<void> {
    const { world, pace, parked, entered } = this.#parts
    this.#underway.set(key, work)
    let isParked = false
    try {
      await this.#whileBusy(work.blocks, () => this.#write(key, work))
      pace.accepted(key)
    } catch (error) {
      this.#next.delete(key)
      isParked = error instanceof Bug
      if (isParked) parked(`IPSet ${key}`, error)
      else await this.#asRefused(key, () => this.#recover(key, error))
    }
    this.#underway.delete(key)
    this.#next.delete(key)
    if (!isParked) world.apply({ type: 'node', ipSet: key })
    if (this.#again.delete(key)) this.#wake(key)
    if (!world.all('IPSet').has(key)) pace.forget(key)
    this.pump()
    entered()
  }

  #wake(key: string): void {
    const { world } = this.#parts
    const view = world.all('IPSet').get(key)
    if (view !== undefined) world.nodeQueue.push(key, { holds: false, createdAt: view.createdAt })
  }

  async #whileBusy(blocks: readonly string[], work: () => Promise<void>): Promise<void> {
    for (const block of blocks) this.#busy.set(block, (this.#busy.get(block) ?? 0) + 1)
    try {
      await work()
    } finally {
      for (const block of blocks) {
        const left = (this.#busy.get(block) ?? 1) - 1
        if (left === 0) this.#busy.delete(block)
        else this.#busy.set(block, left)
      }
    }
  }

  /** First the claims, then the Reservation that records them, then the status that tells them. */
  async #write(key: string, work: Work): Promise<void> {
    const { world, claims } = this.#parts
    const { view, reservation, decision, blocks } = work
    await Promise.all(blocks.map((block) => claims.claim(block)))
    const { nodeIntent } = decision
    if (nodeIntent !== undefined && reservation === undefined) {
      await this.#readClaims(view, nodeIntent, blocks)
    }
    if (nodeIntent !== undefined && unclaimed(world, view, nodeIntent).length > 0) {
      throw new Outdated(`IPSet ${key}: an address was claimed for another host`)
    }
    const isCurrent = await this.#withinLimit(async () => {
      for (const write of decision.writes) {
        if (this.#isStale(view)) return false
        await this.#writeOne(work, write)
      }
      return true
    })
    if (isCurrent) this.#say(work)
  }

  /**
   * What was claimed long ago may be another's by now, and a late watch has not told: before a
   * Reservation is made from it, the API is asked.
   */
  async #readClaims(view: IpSet, intent: NodeIntent, claimed: readonly string[]): Promise<void> {
    const { world, claims } = this.#parts
    const others = blocksOf(world, view, intent).filter((block) => !claimed.includes(block))
    await Promise.all(others.map((block) => claims.read(block)))
  }

  /** It has changed meanwhile, so that it is queued again: this decision is out of date. */
  #isStale({ key, uid, resourceVersion }: IpSet): boolean {
    const current = this.#parts.world.all('IPSet').get(key)
    return current?.uid !== uid || current.resourceVersion !== resourceVersion
  }

  /** Many at a time, but no more than the API accepts: refusals come by the thousand. */
  async #withinLimit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#writing >= this.#parts.pace.most) {
      await new Promise<void>((resolve) => this.#queued.push(resolve))
    }
    this.#writing++
    try {
      return await work()
    } finally {
      this.#writing--
      this.#queued.shift()?.()
    }
  }

  async #writeOne({ view, reservation }: Work, write: Write): Promise<void> {
    const { records, keep } = this.#parts
    if (write.type === 'status') await records.writeStatus(view, write)
    else if (write.type === 'apply') await records.writeReservation(write.object, reservation)
    else await keep(write)
  }

  #say({ view, decision }: Work): void {
    const { kind, namespace, name, uid, resourceVersion } = view
    if (decision.events.length === 0) return
    const apiVersion = apiVersionOf(rowOf('IPSet'))
    this.#parts.say({ apiVersion, kind, namespace, name, uid, resourceVersion }, decision.events)
  }

  /** Those of one namespace must not keep the others waiting: their places are free meanwhile. */
  async #asRefused(key: string, work: () => Promise<void>): Promise<void> {
    this.#refused.add(key)
    this.pump()
    await work()
    this.#refused.delete(key)
  }

  /** Held as decided until everything has been read again; then decided again. */
  async #recover(key: string, error: unknown): Promise<void> {
    const { records, pace, clock, failed, mayWrite } = this.#parts
    for (let met: unknown = error; !this.#signal.aborted; ) {
      const fault = faultFrom(met, `IPSet ${key}`)
      const waitMs = pace.refused(key, fault)
      if (mayWrite()) failed(`IPSet ${key}`, fault)
      if (waitMs > 0) await clock.sleep(waitMs, this.#signal)
      try {
        await this.#withinLimit(async () => {
          await records.read('IPSet', key)
          await records.read('Reservation', key)
        })
        break
      } catch (unread) {
        met = unread
      }
    }
    this.#again.add(key)
  }

  /** Blocks written for no IPSet: the last one left, somebody edited it, or a reserve expired. */
  #sweep(): void {
    for (const block of this.#woken) {
      if (this.#busy.has(block)) continue
      this.#woken.delete(block)
      if (!this.#isRight(block)) void this.#putRight(block)
    }
  }

  /** Whether it is as it should be, or cannot be decided: that is parked. */
  #isRight(block: string): boolean {
    const { world, deciders, timestamp, parked, clock } = this.#parts
    try {
      const now = timestamp()
      const seconds = keptSecondsLeft(world.all('AddressBlock').get(block), now)
      if (seconds !== undefined) this.#later.set(block, clock.nowMs() + 1000 * seconds)
      return deciders.blocks.record(world, block, now) === undefined
    } catch (error) {
      parked(`AddressBlock ${block}`, error)
      return true
    }
  }

  async #putRight(block: string): Promise<void> {
    const { claims, pace, clock, failed } = this.#parts
    this.#sweeping++
    try {
      await claims.claim(block)
      pace.accepted(block)
    } catch (error) {
      const fault = faultFrom(error, `AddressBlock ${block}`)
      failed(`AddressBlock ${block}`, fault)
      await clock.sleep(pace.refused(block, fault), this.#signal)
      this.#woken.add(block)
    }
    this.#sweeping--
    this.pump()
  }
}

function blocksOf(world: World, { namespace }: IpSet, { addresses }: NodeIntent) {
  const blocks = addresses.flatMap(({ network, address }) =>
    world.nodes.wiresIn(namespace, network).map((wire) => blockName(wire, address)),
  )
  return [...new Set(blocks)]
}

/** The blocks that are to name it, and do not say yet what was decided for it. */
function unclaimed(world: World, { key, uid, namespace, name }: IpSet, { addresses }: NodeIntent) {
  const blocks = addresses.flatMap(({ network, address }) =>
    world.nodes.wiresIn(namespace, network).flatMap((wire) => {
      if (!world.nodes.held.isNamed({ wire, address, key })) return []
      const block = blockName(wire, address)
      const isNamed = world
        .all('AddressBlock')
        .get(block)
        ?.holders.some(
          (one) =>
            one.address === address &&
            one.uid === uid &&
            one.name === name &&
            one.namespace === namespace,
        )
      return isNamed === true ? [] : [block]
    }),
  )
  return [...new Set(blocks)]
}
