// What can happen between any two steps of a claim? Leaders that decide and write, each with watches
// that are late, over one API; chance picks the next step, and a leader may end at any of them.
import { Records } from '../../src/app/controller/records.ts'
import { ServiceWorker } from '../../src/app/controller/serviceWorker.ts'
import { World } from '../../src/core/model/world.ts'
import { check } from '../../src/core/policy/check/check.ts'
import { claimsAmong, coreDeciders } from '../../src/core/policy/deciders.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { plainSink, ValidatedSink } from '../../src/edge/kube/feed/validatedSink.ts'
import { WritePace } from '../../src/edge/kube/write/writePace.ts'
import { LateClient, type Step } from './lateClient.ts'
import type { TinyApi } from './tinyApi.ts'

export class Leader {
  readonly world = new World(settings)
  readonly worker: ServiceWorker
  readonly client: LateClient
  /** False past the renew deadline. */
  isLeading = true
  /** The reasons of the events that it told. */
  readonly said: string[] = []

  constructor(api: TinyApi, name: string, random: () => number) {
    const { world } = this
    const deciders = claimsAmong(coreDeciders)
    const heard = () => this.worker.pump()
    this.client = new LateClient({ api, name, random, heard })
    const { calls, versions, sleep } = this.client
    const validated = new ValidatedSink(world, check)
    const mayWrite = () => this.isLeading && !this.client.isDead
    let seconds = 0
    const timestamp = () => new Date(Date.UTC(2026, 5, 1) + ++seconds * 1000).toISOString()
    this.worker = new ServiceWorker({
      world,
      deciders,
      records: new Records({
        api: calls,
        world,
        decider: deciders.records,
        versions,
        mayWrite,
        timestamp,
        sleep,
      }),
      pace: new WritePace(random),
      mayWrite,
      signal: new AbortController().signal,
      sleep,
      say: ({ events }) => this.said.push(...events.map(({ reason }) => reason)),
      decided: () => undefined,
      failed: (object, error) => {
        if (error.name === 'Bug') throw new Error(`${object}: ${error.message}`)
      },
    })
    this.client.follow('IPAddressPool', validated)
    this.client.follow('ReleasedPool', plainSink(world))
    this.client.follow('Service', plainSink(world))
    this.client.follow('Address', validated)
    validated.open()
    world.apply({ type: 'adoption', isOver: world.hasRecords() })
    this.worker.pump()
  }

  kill(): void {
    this.client.kill()
  }

  get steps(): Step[] {
    return this.client.steps
  }
}
