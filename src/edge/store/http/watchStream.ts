// What does a watch send? The current objects if asked for, then every change once, in order. It
// reads from the history as fast as its client reads, so a slow client costs no memory.
import type { ServerResponse } from 'node:http'
import { Bug } from '../../../core/model/bug.ts'
import type { WaitingBodies } from '../../host/waitingBodies.ts'
import type { Kinds } from '../kinds/kinds.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import type { Change, Stored } from '../storage/stored.ts'
import { jsonBytes } from '../values/jsonBytes.ts'
import { done, type Outcome, type Refused, refused } from '../values/status.ts'
import type { ListOptions } from './listOptions.ts'
import type { Reading, ResourceRequest } from './read.ts'
import { tooLargeRevision } from './refusals.ts'
import { parseRevision } from './revisions.ts'
import { sliceBytes } from './slices.ts'
import { type EventType, eventLine, type LastLines, LineWriter } from './watchLines.ts'

export type WatchLimits = {
  readonly bookmarkMs: number
  /** With more than this waiting to be sent, nothing is read from the history. */
  readonly bufferedBytes: number
  /** A client that reads nothing for so long is disconnected. */
  readonly stallMs: number
}

type WatchParts = {
  readonly reading: Reading
  readonly request: ResourceRequest
  readonly options: ListOptions
  readonly last: LastLines
  readonly limits: WatchLimits
  readonly unread: UnreadOfUser
  readonly random: () => number
  readonly failed: (error: unknown) => void
}

/** What its user does not read, in all watches; beyond a limit, whoever has most loses some. */
type UnreadOfUser = { readonly of: WaitingBodies; readonly user: string }
type Unread = ReturnType<WaitingBodies['begin']>

/** Starts with the current objects, or after a revision. */
type Start = { readonly withPresent: boolean; readonly after: number }

export function startOf(options: ListOptions, current: number): Outcome<Start> {
  const asked = options.resourceVersion === '' ? done(0) : parseRevision(options.resourceVersion)
  if (!asked.ok) return asked
  const withPresent = options.sendsInitialEvents ?? asked.value === 0
  return done({ withPresent, after: asked.value === 0 ? current : asked.value })
}

const longestMs = 2 ** 31 - 1
/** Any watch may have so much on its way. */
const usualBytes = 64 * 1024
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' }

export class WatchStream {
  readonly #parts: WatchParts
  readonly #response: ServerResponse
  readonly #resource: string
  readonly #lines: LineWriter
  readonly #timers: NodeJS.Timeout[] = []
  /** Everything up to this revision was sent; a bookmark may say so. */
  #seen = 0
  #bookmarked = 0
  #present: Iterator<Stored> | undefined
  #withEndOfPresent = false
  #unwatch: (() => void) | undefined
  #stall: NodeJS.Timeout | undefined
  #unread: Unread
  /** Whether objects have to be parsed to be sent. */
  readonly #isParsed: boolean
  #parsedBytes = 0
  /** For the next slice. */
  #isWaiting = false
  #isFull = false
  #isOver = false

  constructor(parts: WatchParts, response: ServerResponse) {
    this.#parts = parts
    this.#response = response
    this.#resource = resourceOf(parts.request.found.kind)
    this.#isParsed = parts.request.view.form.as !== 'object'
    this.#lines = new LineWriter(parts.reading, parts.request, parts.last)
    response.on('drain', () => this.#try(() => this.#resume()))
    response.on('close', () => this.#stop())
    response.on('error', () => this.#stop())
  }

  /** Whether exactly the same kind is still served at this path. */
  isServed(kinds: Pick<Kinds, 'find'>): boolean {
    const { kind, version } = this.#parts.request.found
    return kinds.find(kind.group, version.name, kind.plural)?.kind === kind
  }

  start({ withPresent, after }: Start): void {
    const { options, limits, reading } = this.#parts
    const lasts = lastsMs(options.timeoutSeconds, this.#parts.random)
    this.#timers.push(setTimeout(() => this.end(), lasts))
    if (options.allowsBookmarks) {
      const tick = () => this.#try(() => this.#bookmark())
      this.#timers.push(setInterval(tick, limits.bookmarkMs))
    }
    this.#seen = after
    const { revision } = reading.objects
    if (options.sendsInitialEvents === true && after > revision) {
      this.#fail(tooLargeRevision(after, revision))
      return
    }
    this.#try(() => {
      if (withPresent) this.#beginPresent()
      this.#goOn()
    })
  }

  /** Ends the answer properly, with a bookmark to continue from. */
  end(): void {
    if (this.#isOver) return
    this.#try(() => this.#bookmark())
    this.#stop()
    this.#response.end()
  }

  /**
   * No caller could catch an error, so a failing watch is disconnected and the client restarts it.
   */
  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#cut()
      this.#parts.failed(error)
    }
  }

  #beginPresent(): void {
    const { reading, request, options } = this.#parts
    const { namespace } = request.target
    const page = reading.objects.list({
      resource: this.#resource,
      namespace,
      matches: options.matches,
    })
    if (typeof page === 'string') throw new Bug('the current state can always be listed')
    this.#seen = page.revision
    this.#present = page.items[Symbol.iterator]()
    this.#withEndOfPresent = options.sendsInitialEvents === true && options.allowsBookmarks
  }

  #go(): void {
    if (this.#tellPresent()) this.#follow()
  }

  /** At once, or in the next slice. */
  #goOn(): void {
    if (!this.#isParsed) {
      this.#go()
      return
    }
    const { of, user } = this.#parts.request.slices
    this.#isWaiting = true
    void of.run(user, () => {
      this.#isWaiting = false
      this.#parsedBytes = 0
      if (!this.#isFull && !this.#isOver) this.#try(() => this.#go())
    })
  }

  /** Where as much was parsed as one slice may. */
  #endSlice({ bytes }: Stored): void {
    if (!this.#isParsed) return
    this.#parsedBytes += bytes.length
    if (this.#parsedBytes >= sliceBytes) this.#goOn()
  }

  /** Returns whether all of them were sent. */
  #tellPresent(): boolean {
    for (let next = this.#present?.next(); next?.done === false; next = this.#present?.next()) {
      this.#write(this.#lines.present(next.value))
      if (this.#isFull || this.#isOver) return false
      this.#endSlice(next.value)
      if (this.#isWaiting) return false
    }
    this.#present = undefined
    if (this.#withEndOfPresent) {
      this.#withEndOfPresent = false
      this.#write(this.#lines.bookmark(this.#seen, initialEventsEnd))
      this.#bookmarked = this.#seen
    }
    return !this.#isFull
  }

  #follow(): void {
    const { objects } = this.#parts.reading
    const sink = (change: Change) => this.#try(() => this.#tell(change))
    const unwatch = objects.watch(this.#resource, this.#seen, sink)
    if (unwatch === 'expired') this.#fail(tooOld(this.#seen, objects.oldest))
    else if (unwatch === 'future') this.#fail(notYet(this.#seen, objects.revision))
    else {
      this.#unwatch = unwatch
      if (this.#isFull || this.#isOver || this.#isWaiting) this.#pause()
    }
  }

  #tell(change: Change): void {
    if (this.#isFull || this.#isOver || this.#isWaiting) return
    this.#seen = change.revision
    const type = this.#typeOf(change)
    if (type === undefined) return
    this.#write(this.#lines.change(change, type))
    if (this.#isFull) this.#pause()
    // The line of a change that has just come is made once for all watches.
    else if (this.#unwatch === undefined) this.#endSlice(change.stored)
  }

  /** The event as the selectors see it; undefined if the object matched neither before nor now. */
  #typeOf({ type, stored, before }: Change): EventType | undefined {
    const { request, options } = this.#parts
    const { namespace } = request.target
    if (namespace !== undefined && stored.namespace !== namespace) return undefined
    const { matches } = options
    if (matches === undefined || before === undefined) {
      return matches?.(stored) === false ? undefined : type
    }
    const [was, is] = [matches(before), matches(stored)]
    if (type === 'DELETED') return was ? type : undefined
    if (was && is) return type
    if (was) return 'DELETED'
    return is ? 'ADDED' : undefined
  }

  #bookmark(): void {
    const { options, reading } = this.#parts
    const isFollowing = this.#unwatch !== undefined && !this.#isFull && !this.#isOver
    if (!options.allowsBookmarks || !isFollowing) return
    this.#seen = Math.max(this.#seen, reading.objects.revision)
    if (this.#seen === this.#bookmarked) return
    this.#bookmarked = this.#seen
    this.#write(this.#lines.bookmark(this.#seen))
  }

  #write(line: Uint8Array): void {
    this.#response.write(line)
    const waiting = this.#response.writableLength
    if (waiting > usualBytes) this.#hold(waiting)
    this.#isFull = waiting > this.#parts.limits.bufferedBytes
    if (this.#isFull && !this.#isOver) {
      this.#stall ??= setTimeout(() => this.#cut(), this.#parts.limits.stallMs)
    }
  }

  #hold(bytes: number): void {
    const { of, user } = this.#parts.unread
    const end = () => this.#cut()
    this.#unread ??= of.begin(user, end)
    if (this.#unread === undefined) end()
    else of.add(this.#unread, bytes - this.#unread.bytes)
  }

  /** Nothing more is written: the response says only later that it is closed. */
  #cut(): void {
    this.#stop()
    this.#response.destroy()
  }

  #letGo(): void {
    if (this.#unread !== undefined) this.#parts.unread.of.done(this.#unread)
    this.#unread = undefined
  }

  #pause(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  #resume(): void {
    this.#letGo()
    clearTimeout(this.#stall)
    this.#stall = undefined
    if (!this.#isFull || this.#isOver) return
    this.#isFull = false
    if (!this.#isWaiting) this.#goOn()
  }

  #fail({ status }: Refused): void {
    this.#write(eventLine('ERROR', jsonBytes(status)))
    this.#stop()
    this.#response.end()
  }

  #stop(): void {
    this.#isOver = true
    this.#letGo()
    this.#pause()
    clearTimeout(this.#stall)
    for (const timer of this.#timers) clearTimeout(timer)
  }
}

const tooOld = (asked: number, oldest: number): Refused =>
  refused({
    code: 410,
    reason: 'Expired',
    message: `too old resource version: ${asked} (${oldest})`,
  })

/**
 * Kubernetes waits for such a revision. Here it can only stem from before a backup was restored. A
 * client that waited would miss changes until then, so it has to list again.
 */
const notYet = (asked: number, current: number): Refused =>
  refused({
    code: 410,
    reason: 'Expired',
    message: `too large resource version: ${asked}, current: ${current}`,
  })

/** By default between 30 and 60 minutes, so that not all clients reconnect at once. */
const lastsMs = (seconds: number, random: () => number): number =>
  Math.min(seconds > 0 ? seconds * 1000 : 1_800_000 * (1 + random()), longestMs)
