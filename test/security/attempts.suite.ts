// Does any attempt succeed? Each on every engine that it concerns; what came of it is listed.
import { afterAll, beforeAll, describe, inject, onTestFailed, test } from 'vitest'
import { findEngine } from '../kube/harness.ts'
import type { Attempt, Engine } from './attempt.ts'
import { attempts } from './attempts.ts'
import { hasPolicies, type RunningStand, startOnEmbedded, startOnKubernetes } from './stands.ts'

const starts: Readonly<Record<Engine, () => Promise<RunningStand>>> = {
  embedded: startOnEmbedded,
  kubernetes: () => {
    const engine = findEngine()
    if ('why' in engine) throw new Error(engine.why)
    return startOnKubernetes(engine.folder, inject('kubectl'))
  },
}
const engines: readonly Engine[] = ['embedded', 'kubernetes']
const outcomes: string[] = []

afterAll(() => {
  process.stdout.write(`${outcomes.join('\n')}\n`)
})

describe.each(engines)('%s', (engine) => {
  const isHere = engine === 'embedded' || inject('hasKubernetes')
  let stand: RunningStand
  beforeAll(async () => {
    if (isHere) stand = await starts[engine]()
  })
  afterAll(() => stand?.stop())

  const here = attempts.filter((one) => one.engines.includes(engine))
  const isServed = (one: Attempt): boolean => hasPolicies || one.needsPolicies !== true
  test.skipIf(!isHere).each(here.filter(isServed))('$holds: $name', async (attempt) => {
    const say = (outcome: string): void => {
      outcomes.push(`${engine.padEnd(10)}  ${outcome.padEnd(9)}  ${attempt.name}`)
    }
    onTestFailed(() => say('SUCCEEDED'))
    await attempt.run(stand)
    say('held')
  })
})
