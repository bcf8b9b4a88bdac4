// Does it matter when the API dies? Killed again and again, at moments that a seed chooses, while
// several clients write and others watch; then all is compared with what was promised.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Folder } from '../../src/app/up/folder.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { core, type KubeObject, verbs } from '../kube/cluster.ts'
import { seeded } from '../kube/seeded.ts'
import { until } from '../kube/waits.ts'
import { Follower } from './follower.ts'
import { Ledger, plurals, selected } from './ledger.ts'
import { beginLife } from './life.ts'
import { type Count, countNow, writeOn } from './writers.ts'

export type Kills = {
  readonly kills: number
  readonly seed: number
}
export type Survived = {
  readonly acknowledged: number
  readonly duringStart: number
  /** Of watches that were told that they were too old. */
  readonly relists: number
}

const writers = ['ann', 'bob', 'cid', 'dot', 'eve', 'fay']

/** Throws what was lost, half there, made up, told twice or never. */
export async function killAgainAndAgain(folder: Folder, plan: Kills): Promise<Survived> {
  const run = new Run(folder, plan)
  for (let round = 0; round < plan.kills; round++) await run.live(round)
  return run.end()
}

class Run {
  readonly #folder: Folder
  readonly #plan: Kills
  readonly #ledger = new Ledger()
  readonly #count: Count = { acknowledged: 0, underWay: 0 }
  readonly #followers: readonly Follower[]
  #answers = 0
  #duringStart = 0
  /** How long the last start took. */
  #startMs = 500

  constructor(folder: Folder, plan: Kills) {
    this.#folder = folder
    this.#plan = plan
    this.#followers = plurals.flatMap((plural) => [
      new Follower(plural, this.#ledger, { hasBookmarks: false }),
      new Follower(plural, this.#ledger, { hasBookmarks: true }),
    ])
  }

  /** Each round has chance of its own, so that what it does depends on nothing before it. */
  async live(round: number): Promise<void> {
    const random = seeded(this.#plan.seed + round)
    const began = performance.now()
    const life = beginLife(this.#folder)
    if (random() < 0.2) {
      this.#duringStart += 1
      await sleep(random() * this.#startMs)
      await life.end('SIGKILL')
      return
    }
    const api = await life.ready()
    this.#startMs = performance.now() - began
    this.#hold(await this.#wrongs(api), round)
    const work = this.#work(api, random, Math.floor(random() ** 2 * 600))
    await Promise.race([work.enough, sleep(200 + random() * 800)])
    // Not always in the moment of an answer.
    await sleep(random() * 3)
    // Now and then it is asked to: what it answers until then counts as well.
    await life.end(random() < 0.1 ? 'SIGTERM' : 'SIGKILL')
    await work.ended
  }

  /** All of it goes on until the API is no more. */
  #work(api: Api, random: () => number, most: number) {
    const last = this.#answers + most
    const isEnough = new AbortController()
    const enough = once(isEnough.signal, 'abort')
    const answered = (): void => {
      this.#answers += 1
      if (this.#answers >= last) isEnough.abort()
    }
    const load = { ledger: this.#ledger, count: this.#count, answered }
    const ended = Promise.all([
      ...writers.map((writer) => writeOn(api, writer, { load, random })),
      ...this.#followers.map((follower) => follower.follow(api)),
    ])
    return { enough: Promise.race([enough, ended]), ended }
  }

  async #wrongs(api: Api): Promise<string[]> {
    const wrongs: string[] = []
    for (const plural of plurals) {
      const { items, metadata } = await verbs(api, core(plural, 'default')).list(selected)
      wrongs.push(...this.#ledger.compare(plural, Number(metadata.resourceVersion), items))
      if (plural === 'services') wrongs.push(...twice(items))
    }
    const { acknowledged, underWay } = this.#count
    const count = await countNow(api)
    if (count < acknowledged || count > acknowledged + underWay) {
      wrongs.push(`counted ${count}, acknowledged ${acknowledged}, under way ${underWay}`)
    }
    this.#count.acknowledged = count
    this.#count.underWay = 0
    return [...wrongs, ...this.#followers.flatMap(({ wrongs: seen }) => seen)]
  }

  #hold(wrongs: readonly string[], round: number): void {
    if (wrongs.length === 0) return
    throw new Error(`seed ${this.#plan.seed}, kill ${round}:\n${wrongs.slice(0, 20).join('\n')}`)
  }

  /** Once more, and at rest: whoever watches knows what is there, and nothing is left undone. */
  async end(): Promise<Survived> {
    const life = beginLife(this.#folder)
    const api = await life.ready()
    this.#hold(await this.#wrongs(api), this.#plan.kills)
    const following = this.#followers.map((follower) => follower.follow(api))
    await until('all is told', () => this.#isToldAll(api))
    await until('what belongs to nobody is gone', () => isSwept(api))
    await until('all have addresses', () => isAddressed(api))
    await life.end('SIGTERM')
    await Promise.all(following)
    this.#hold(
      this.#followers.flatMap(({ wrongs }) => wrongs),
      this.#plan.kills,
    )
    return {
      acknowledged: this.#answers,
      duringStart: this.#duringStart,
      relists: this.#followers.reduce((sum, { lists }) => sum + lists - 1, 0),
    }
  }

  async #isToldAll(api: Api): Promise<true | undefined> {
    for (const follower of this.#followers) {
      const { items } = await verbs(api, core(follower.plural, 'default')).list(selected)
      if (!follower.isAt(items)) return undefined
    }
    return true
  }
}

async function isSwept(api: Api): Promise<true | undefined> {
  const { items } = await verbs(api, core('configmaps', 'kube-public')).list()
  const names = new Set(items.map(({ metadata }) => metadata.name))
  const left = [...names].filter((name) => name.startsWith('owned-'))
  return left.every((name) => names.has(name.replace('owned-', 'owner-'))) ? true : undefined
}

async function isAddressed(api: Api): Promise<true | undefined> {
  const { items } = await verbs(api, core('services', 'default')).list(selected)
  const asking = items.filter(({ spec }) => spec?.['type'] === 'LoadBalancer')
  return asking.every((service) => ipsOf(service).length === 2) ? true : undefined
}

/** Of the cluster, and of the load balancer once it has one. */
function ipsOf({ spec, status }: KubeObject): string[] {
  const given = JSON.stringify(status?.['loadBalancer'] ?? {}).matchAll(/"ip":"([^"]+)"/g)
  return [String(spec?.['clusterIP']), ...[...given].map(([, ip = '']) => ip)]
}

/** Addresses that two Services have. */
function twice(services: readonly KubeObject[]): string[] {
  const ips = services.flatMap(ipsOf)
  return ips.filter((ip, index) => ips.indexOf(ip) !== index).map((ip) => `${ip} was given twice`)
}
