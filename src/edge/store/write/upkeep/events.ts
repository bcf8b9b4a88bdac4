// When is an Event forgotten? An hour after it was last written.
import type { JsonObject } from '../../../../core/model/gate.ts'
import type { Change, Stored } from '../../storage/stored.ts'
import { metaOf, recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { decoded } from '../stored.ts'

const keptMs = 3_600_000

type Spot = { readonly namespace: string; readonly name: string }
type Ageing = Spot & { readonly writtenMs: number }

/**
 * In the order in which they were written, so that the oldest are found first. By a clock that
 * nobody sets: set forward it would make all of them old, and set back none of them ever again.
 */
export class EventAges {
  readonly #ages = new Map<string, Ageing>()
  readonly #elapsedMs: () => number

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Those that are there at the start; when they were written is the latest time they tell. */
  fill(events: readonly Stored[], now: Date): void {
    const atMs = this.#elapsedMs()
    const ages = events.map((stored) => {
      const ageMs = Math.max(0, now.getTime() - lastWritten(decoded(stored)))
      return ageing(stored, atMs - ageMs)
    })
    for (const age of ages.sort((one, other) => one.writtenMs - other.writtenMs)) this.#set(age)
  }

  apply({ type, stored }: Change): void {
    this.#ages.delete(keyOf(stored))
    if (type !== 'DELETED') this.#set(ageing(stored, this.#elapsedMs()))
  }

  /** At most so many. */
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
