// What does a pure observer see? When each Service appeared and got its address, how many Addresses
// exist, and when the last event came.

import { systemClock } from '../../src/edge/host/clock.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { type WatchStep, watch } from '../../src/edge/kube/api/watch.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { addresses, events, services } from './town.ts'

export class Seen {
  /** By key: when it was first seen, in milliseconds of this process. */
  readonly came = new Map<string, number>()
  readonly addressed = new Map<string, number>()
  /** Services whose condition says why they have no address. */
  readonly waiting = new Set<string>()
  readonly claims = new Set<string>()
  lastStatusMs = 0
  lastClaimMs = 0
  lastEventMs = 0
  events = 0
  readonly #stop = new AbortController()

  constructor(api: Api) {
    const follow = async (resource: Resource, take: (step: WatchStep) => void): Promise<void> => {
      const { signal } = this.#stop
      const options = { signal, clock: systemClock, random: Math.random }
      for await (const step of watch(api, resource, options)) take(step)
    }
    void follow(services, (step) => this.#service(step))
    void follow(addresses, (step) => this.#address(step))
    void follow(events, (step) => this.#event(step))
  }

  close(): void {
    this.#stop.abort()
  }

  #service(step: WatchStep): void {
    if (!('json' in step)) return
    const object = new Fields(step.json, [])
    if (object.inner('spec').text('type') !== 'LoadBalancer') return
    const [key, now] = [keyIn(object), performance.now()]
    if (step.type === 'delete') {
      this.came.delete(key)
      this.addressed.delete(key)
      this.waiting.delete(key)
      return
    }
    if (!this.came.has(key)) this.came.set(key, now)
    const status = object.inner('status')
    if (status.inner('loadBalancer').each('ingress').length === 0) {
      this.addressed.delete(key)
      if (status.each('conditions').length > 0) this.waiting.add(key)
    } else if (!this.addressed.has(key)) {
      this.addressed.set(key, now)
      this.waiting.delete(key)
      this.lastStatusMs = now
    }
  }

  #address(step: WatchStep): void {
    if (!('json' in step)) return
    const key = keyIn(new Fields(step.json, []))
    if (step.type === 'delete') this.claims.delete(key)
    else this.claims.add(key)
    this.lastClaimMs = performance.now()
  }

  #event(step: WatchStep): void {
    if (step.type !== 'apply') return
    this.events++
    this.lastEventMs = performance.now()
  }
}

function keyIn(object: Fields): string {
  const metadata = object.inner('metadata')
  return `${metadata.text('namespace')}/${metadata.text('name')}`
}
