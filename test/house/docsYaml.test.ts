// Does every YAML in the documents and examples do what it says? Scenarios are run, all other
// manifests are planned: nothing may be unreadable or refused.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { runScenario, settings } from '../../src/core/sim/runScenario.ts'
import { scenarioOf } from '../../src/core/sim/scenario.ts'
import { simulated } from '../../src/core/sim/simulated.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'

const gateFor = gatesOf(await readCrds())
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))

const fence = /^```yaml\n(.*?)^```/gms
const blocks = [...filesIn('docs', '.md'), ...filesIn('examples', '.md'), 'README.md'].flatMap(
  (file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(fence)].map(({ 1: yaml = '', index }) => ({
      where: `${file}:${text.slice(0, index).split('\n').length + 1}`,
      yaml,
    }))
  },
)

test('there are YAML blocks to look at', () => expect(blocks.length).toBeGreaterThan(3))

test.each(blocks)('$where', async ({ where, yaml }) => {
  expect(await troublesIn(yaml, where)).toEqual([])
})

describe('examples', () => {
  // Mistakes that are there to be found: their folders have tests of their own.
  const files = filesIn('examples', '.yaml').filter(
    (file) => !/seed-conflicts|from-metallb\/reversed/.test(file),
  )
  test.each(files)('%s', async (file) => {
    expect(await troublesIn(readFileSync(file, 'utf8'), file)).toEqual([])
  })
})

async function troublesIn(yaml: string, where: string): Promise<unknown[]> {
  const gate = gateFor('native')
  const cluster = new Cluster(gate, settings)
  const troubles = parseManifests(yaml, where).map(async (read): Promise<readonly unknown[]> => {
    if (!read.ok) return [read.unreadable]
    const { json } = read.manifest
    if (json['kind'] === 'Scenario') {
      return (await runScenario(scenarioOf({ ...json }), simulated(gate))).failures
    }
    const applied = cluster.apply(json)
    return applied.ok ? applied.warnings.filter((text) => !isMeant(where, text)) : applied.errors
  })
  return (await Promise.all(troubles)).flat()
}

/** OpenStack's operators write the older annotations, and so did MetalLB's users. */
const isMeant = (where: string, warning: string): boolean =>
  /multi-rhoso|from-metallb/.test(where) && warning.includes('is deprecated: use metallb.io/')
