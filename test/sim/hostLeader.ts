// One of the leaders that give hosts their addresses: the real worker, its claims and its records, over
// watches and requests that are late.

import { BlockClaims } from '../../src/app/openstack/blockClaims.ts'
import { IpamWorker } from '../../src/app/openstack/ipamWorker.ts'
import { NodeRecords } from '../../src/app/openstack/nodeRecords.ts'
import { World } from '../../src/core/model/world.ts'
import { coreDeciders, hostClaimsAmong } from '../../src/core/policy/deciders.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { plainSink } from '../../src/edge/kube/feed/validatedSink.ts'
import { WritePace } from '../../src/edge/kube/write/writePace.ts'
import { LateClient, type Step } from './lateClient.ts'
import type { TinyApi } from './tinyApi.ts'

const followed = ['Namespace', 'NetConfig', 'IPSet', 'Reservation', 'AddressBlock'] as const

export class HostLeader {
  readonly world = new World(settings)
  readonly worker: IpamWorker
  readonly client: LateClient

  constructor(api: TinyApi, name: string, random: () => number) {
    const { world } = this
    const heard = () => this.worker.pump()
    this.client = new LateClient({ api, name, random, heard })
    const { calls, versions, sleep } = this.client
    const mayWrite = () => !this.client.isDead
    const records = new NodeRecords({ api: calls, world, versions, mayWrite })
    let seconds = 0
    const timestamp = () => new Date(Date.UTC(2026, 5, 1) + ++seconds * 1000).toISOString()
    const nowMs = () => 0
    const deciders = hostClaimsAmong(coreDeciders)
    this.worker = new IpamWorker({
      world,
      deciders,
      records,
      claims: new BlockClaims({
        world,
        decider: deciders.blocks,
        records,
        timestamp,
        nowMs,
        sleep,
      }),
      keep: async () => undefined,
      pace: new WritePace(random),
      clock: { nowMs, sleep },
      timestamp,
      mayWrite,
      say: () => undefined,
      failed: () => undefined,
      parked(object, error) {
        throw new Error(`${object} is parked`, { cause: error })
      },
      decided: () => undefined,
      entered: () => undefined,
    })
    for (const kind of followed) this.client.follow(kind, plainSink(world))
    this.worker.pump()
  }

  kill(): void {
    this.client.kill()
  }

  get steps(): Step[] {
    return this.client.steps
  }
}
