// Proves that a prefix is there as long as anybody holds it, with what its holders ask for.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PeerRoutes, type Route } from './routes.ts'

const holders = ['a', 'b', 'c'] as const
const anyRoute: fc.Arbitrary<Route> = fc.record({
  prefix: fc.constantFrom('192.0.2.1/32', '192.0.2.2/32', '2001:db8::1/128'),
  localPref: fc.constantFrom(undefined, 100, 200),
  communities: fc.subarray(['64512:1', '64512:2']),
})
/** Each prefix once, as one Service has it. */
const anyHolding = fc.uniqueArray(anyRoute, { selector: ({ prefix }) => prefix })

test('[R8.7] as a table of every holder and route would have it', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...holders), anyHolding), { maxLength: 30 })
  fc.assert(
    fc.property(steps, (all) => {
      const [routes, held] = [new PeerRoutes(), new Map<string, readonly Route[]>()]
      for (const [holder, after] of all) {
        const before = held.get(holder) ?? []
        routes.change(holder, before, after)
        held.set(holder, after)
        const there = [...held.values()].flat()
        const prefixes = new Set(there.map(({ prefix }) => prefix))
        expect(new Set(routes.prefixes)).toEqual(prefixes)
        expect(routes.size).toBe(prefixes.size)
        for (const prefix of prefixes) {
          const some = there.filter((one) => one.prefix === prefix)
          const asked = some.flatMap(({ localPref }) => (localPref === undefined ? [] : localPref))
          expect(routes.get(prefix)).toMatchObject({
            localPref: asked.length === 0 ? undefined : Math.max(...asked),
            communities: [...new Set(some.flatMap(({ communities }) => communities))].sort(),
          })
        }
      }
    }),
  )
})
