// What if a decider throws? That is our mistake: the key is parked until it is woken again, and
// shown. It reaches neither whoever runs the decider nor whoever reports a change.
import type { Changed } from '../../core/model/changed.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import type { Decided } from '../../core/policy/decided.ts'
import type { Decider } from '../../core/policy/decider.ts'
import type { Troubles } from './troubles.ts'

export type GuardedDecider = Pick<Decider, 'name' | 'kind' | 'reads' | 'wakes'> & {
  /** undefined if it threw. */
  readonly decide: (world: ReadonlyWorld, key: string, now?: string) => Decided | undefined
}

export function guardedDecider(decider: Decider, troubles: Troubles): GuardedDecider {
  const { name, kind, reads, wakes } = decider
  return {
    name,
    kind,
    reads,
    wakes: typeof wakes === 'string' ? wakes : guardedWakes({ name, wakes }, troubles),
    decide(world, key, now) {
      try {
        return decider.decide(world, key, now)
      } catch (error) {
        troubles.park(name, `${kind} ${key}`, error)
        return undefined
      }
    },
  }
}

type Waking = { readonly name: string; readonly wakes: Exclude<Decider['wakes'], string> }

/** Whom a change wakes cannot be told: shown until such a change is heard without a mistake. */
const guardedWakes =
  ({ name, wakes }: Waking, troubles: Troubles) =>
  (changed: Changed, world: ReadonlyWorld): readonly string[] => {
    const object = `a change of ${changed.kind} ${changed.key}`
    try {
      const keys = [...wakes(changed, world)]
      troubles.over(name, object)
      return keys
    } catch (error) {
      troubles.park(name, object, error)
      return []
    }
  }
