// What does it cost to assign addresses one by one, from an empty pool to a full one?
import type { World } from '../src/core/model/world.ts'
import { pool, worldOf } from '../test/build/announcing.ts'
import { type Figure, type Measured, sum, type Time, timed } from './measure.ts'
import { servicesFrom, settle, type Terms } from './town.ts'

const chunk = 1_000

/** The time up to each of the marks, without the time to build the views. */
export function fill(
  world: World,
  marks: readonly number[],
  terms: (number: number) => Terms = () => ({}),
): Figure[] {
  const figures: Figure[] = []
  let done = 0
  let time: Time = { ms: 0, cpuMs: 0 }
  for (const mark of marks) {
    while (done < mark) {
      const views = servicesFrom(done, Math.min(chunk, mark - done), terms)
      const spent = timed(() => {
        for (const view of views) {
          world.apply({ type: 'upsert', view })
          settle(world)
        }
      })
      time = sum(time, spent)
      done += views.length
    }
    figures.push({ what: mark.toLocaleString('en'), count: mark, ...time })
  }
  return figures
}

/** Guards against a good figure for work that was not done. */
export function expectHeld(world: World, name: string, count: number): void {
  const held = world.ledger.pool(name)?.held('IPv4') ?? 0
  if (held !== count) throw new Error(`${held} addresses of ${name} are held, not ${count}`)
}

function fillSixteen(marks: readonly number[], terms: (number: number) => Terms, held: number) {
  const world = worldOf(pool('p', ['10.0.0.0/16']))
  const figures = fill(world, marks, terms)
  expectHeld(world, 'p', held)
  return { figures, alive: world }
}

export const oneByOne = (): Measured =>
  fillSixteen([1_000, 5_000, 10_000, 20_000, 65_536], () => ({}), 65_536)

/** Warmed up, unlike oneByOne, so that only growth with the pool shows. */
export function toAMillion(): Measured {
  fill(worldOf(pool('p', ['10.0.0.0/16'])), [30_000])
  const world = worldOf(pool('p', ['10.0.0.0/12']))
  const figures = fill(world, [1_000, 10_000, 100_000, 1_000_000])
  expectHeld(world, 'p', 1_000_000)
  return { figures, alive: world }
}

/** None can share. */
export const oneKeyOnePort = (): Measured =>
  fillSixteen([1_000, 10_000, 65_536], () => ({ sharingKey: 'k' }), 65_536)

/** All share one address. */
export const oneKeyOwnPorts = (): Measured =>
  fillSixteen([1_000, 10_000, 65_535], (n) => ({ sharingKey: 'k', ports: [`TCP/${n + 1}`] }), 1)

/** None can share, and yet every port must be remembered. */
export const oneKeyBothPorts = (): Measured =>
  fillSixteen(
    [1_000, 10_000, 65_535],
    (n) => ({ sharingKey: 'k', ports: ['UDP/53', `TCP/${n + 1}`] }),
    65_535,
  )
