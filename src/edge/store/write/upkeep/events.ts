// When is an Event deleted? An hour after its last write.
import type { JsonObject } from '../../../../core/model/gate.ts'
import type { Change, Stored } from '../../storage/stored.ts'
import { metaOf, recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { decoded, isGoing } from '../stored.ts'

const keptMs = 3_600_000

type Spot = { readonly namespace: string; readonly name: string }
type Ageing = Spot & { readonly writtenMs: number }

/**
 * In the order of their writes, so that the oldest come first. By a monotonic clock: if the system
 * clock is set forward or back, Events must not all expire at once or never.
 */
export class EventAges {
  readonly #ages = new Map<string, Ageing>()
  readonly #elapsedMs: () => number

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Takes existing Events at the start; the latest time in each counts as its last write. */
  fill(events: readonly Stored[], now: Date): void {
    const atMs = this.#elapsedMs()
    const staying = events.filter((stored) => !isGoing(stored))
    const ages = staying.map((stored) => {
      const ageMs = Math.max(0, now.getTime() - lastWritten(decoded(stored)))
      return ageing(stored, atMs - ageMs)
    })
    for (const age of ages.sort((one, other) => one.writtenMs - other.writtenMs)) this.#set(age)
  }

  apply({ type, stored }: Change): void {
    this.#ages.delete(keyOf(stored))
    // One that is deleted already and waits for a finalizer would be the oldest for ever.
    if (type !== 'DELETED' && !isGoing(stored)) this.#set(ageing(stored, this.#elapsedMs()))
  }

  /** Returns at most `most` of them. */
  old(most: number): readonly Spot[] {
    const found: Spot[] = []
    const nowMs = this.#elapsedMs()
    for (const age of this.#ages.values()) {
      if (age.writtenMs + keptMs > nowMs || found.length === most) break
      found.push(age)
    }
    return found
  }

  #set(age: Ageing): void {
    this.#ages.set(keyOf(age), age)
  }
}

const keyOf = ({ namespace, name }: Spot): string => `${namespace}/${name}`
const ageing = ({ namespace, name }: Stored, writtenMs: number): Ageing => ({
  namespace,
  name,
  writtenMs,
})

function lastWritten(event: JsonObject): number {
  const { creationTimestamp, managedFields } = metaOf(event)
  const times = [
    creationTimestamp,
    event['lastTimestamp'],
    event['eventTime'],
    recordOf(event['series'])['lastObservedTime'],
    ...recordsOf(managedFields).map(({ time }) => time),
  ]
  return Math.max(0, ...times.map((time) => Date.parse(textOf(time)) || 0))
}
