// Does a warning say what then happens? Before each change of a pool or tenant it is asked who would
// lose an address; afterwards the cluster settles, and those are who did.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Key } from '../../src/core/model/service.ts'
import type { ReadonlyWorld } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { check, checkDelete, checkHeld } from '../../src/core/policy/check/check.ts'
import { foresee } from '../../src/core/policy/check/foresee.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { admission } from '../../src/edge/kube/admission.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { history, type Step } from '../build/randomSteps.ts'

const crds = await readCrds()
const checks = { check, checkHeld, checkDelete, foresee }
const gate = admission({ crds, ...checks, bgpMode: 'native' })

type Held = ReadonlyMap<Key, readonly Ip[]>
const heldIn = (world: ReadonlyWorld): Held =>
  new Map([...world.services.keys()].map((key) => [key, world.holdingOf(key)?.ips ?? []]))

const isForeseen = /^(\d+) Services? would lose or change (?:its|their) address.*? (\S+) \(/

/** How many are foreseen and who is named; nobody when the step is refused, or of another kind. */
function taken(cluster: Cluster, step: Step): readonly [number, Key | undefined] | undefined {
  if (step.type === 'restart') cluster.restart()
  if (step.type === 'apply') {
    cluster.advance(step.ageSeconds)
    const applied = cluster.apply(step.json)
    if (!['IPAddressPool', 'Tenant'].includes(String(step.json['kind']))) return undefined
    return applied.ok ? numberIn(applied.warnings) : [0, undefined]
  }
  if (step.type !== 'delete') return undefined
  const json = cluster.get(step.id)
  const view = json && gate.view(json)
  const foreseen = view === undefined ? [] : gate.foresee(cluster.world, { view, isGone: true })
  if (cluster.delete(step.id).length > 0) return undefined
  return /^(?:IPAddressPool|Tenant)\//.test(step.id) ? numberIn(foreseen) : undefined
}

function numberIn(warnings: readonly string[]): readonly [number, Key | undefined] {
  const found = warnings.flatMap((text) => [...text.matchAll(new RegExp(isForeseen, 'g'))])[0]
  return [Number(found?.[1] ?? 0), found?.[2]]
}

test('[R10.1] who is said to lose an address loses it, and nobody else does', () => {
  let foreseen = 0
  fc.assert(
    fc.property(history, (steps) => {
      const cluster = new Cluster(gate, settings)
      for (const step of steps) {
        const before = heldIn(cluster.world)
        const said = taken(cluster, step)
        cluster.settle()
        const after = heldIn(cluster.world)
        if (said === undefined) continue
        const lost = [...before]
          .filter(([key, ips]) => ips.some((ip) => after.get(key)?.includes(ip) !== true))
          .map(([key]) => key)
          .sort()
        expect(said, JSON.stringify(step)).toEqual([lost.length, lost[0]])
        foreseen += lost.length
      }
    }),
    { seed: 20_261_117, numRuns: 100 },
  )
  expect(foreseen).toBeGreaterThan(25)
})
