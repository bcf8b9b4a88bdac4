// What does a client know that watches? What it listed and every event since; it goes on from its
// last resourceVersion, and lists again only when it is told that this is too old.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { ApiError, Fault } from '../../src/edge/kube/api/fault.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { core, type KubeObject, verbs } from '../kube/cluster.ts'
import { type Ledger, type Plural, selected, turnOf } from './ledger.ts'

type Event = { readonly type: string; readonly object: KubeObject & { readonly code?: number } }

export class Follower {
  /** What no client should ever see. */
  readonly wrongs: string[] = []
  readonly plural: Plural
  readonly #ledger: Ledger
  readonly #hasBookmarks: boolean
  /** By name, the version that is known. */
  #known = new Map<string, number>()
  #seen = new Set<number>()
  /** Where the last list was, and how far it is since. */
  #listed = 0
  #at = 0
  #lists = 0

  constructor(plural: Plural, ledger: Ledger, options: { readonly hasBookmarks: boolean }) {
    this.plural = plural
    this.#ledger = ledger
    this.#hasBookmarks = options.hasBookmarks
  }

  /** How often it had to. */
  get lists(): number {
    return this.#lists
  }

  /** Goes on until the API is no more. */
  async follow(api: Api): Promise<void> {
    try {
      for (;;) {
        if (this.#at === 0) await this.#list(api)
        await this.#watch(api)
        await sleep(5)
      }
    } catch (error) {
      if (error instanceof ApiError || !(error instanceof Fault)) throw error
    }
  }

  /** Whether it knows what is there; then also whether it was told everything on the way. */
  isAt(items: readonly KubeObject[]): boolean {
    const there = new Map(items.map(({ metadata }) => [metadata.name, versionOf(metadata)]))
    const isSame =
      there.size === this.#known.size &&
      [...there].every(([name, version]) => this.#known.get(name) === version)
    if (isSame) this.#endOfEpoch()
    return isSame
  }

  async #list(api: Api): Promise<void> {
    const { items, metadata } = await verbs(api, core(this.plural, 'default')).list(selected)
    const version = versionOf(metadata)
    if (version < this.#listed) this.wrongs.push(`listed ${version} after ${this.#listed}`)
    const before = this.#known
    this.#known = new Map(items.map((item) => [item.metadata.name, versionOf(item.metadata)]))
    for (const [name, at] of this.#known) {
      const known = before.get(name) ?? 0
      if (at < known) this.wrongs.push(`${name} went back to ${at} from ${known}`)
    }
    this.#listed = version
    this.#at = version
    this.#lists += 1
  }

  async #watch(api: Api): Promise<void> {
    const query = {
      watch: 'true',
      resourceVersion: `${this.#at}`,
      ...selected,
      ...(this.#hasBookmarks ? { allowWatchBookmarks: 'true' } : {}),
    }
    const path = pathOf(core(this.plural, 'default'))
    for await (const line of api.stream({ method: 'GET', path, query })) {
      const { type, object }: Event = JSON.parse(line)
      if (type !== 'ERROR') this.#take(type, object)
      else if (object.code !== 410) throw new Error(`an ERROR that is no 410: ${line}`)
      else this.#endOfEpoch()
      if (type === 'ERROR') this.#at = 0
    }
  }

  #take(type: string, object: KubeObject): void {
    const version = versionOf(object.metadata)
    const what = `${type} ${object.metadata.name} ${version}`
    if (version < this.#at) this.wrongs.push(`${what}: came after ${this.#at}`)
    if (type !== 'BOOKMARK') {
      if (version === this.#at) this.wrongs.push(`${what}: came twice`)
      this.#seen.add(version)
      this.#apply(type, object, what)
    }
    this.#ledger.saw(version)
    this.#at = version
  }

  #apply(type: string, object: KubeObject, what: string): void {
    const { name } = object.metadata
    const isKnown = this.#known.has(name)
    if (turnOf(object) === undefined) this.wrongs.push(`${what}: is half there`)
    if (isKnown !== (type !== 'ADDED')) {
      this.wrongs.push(`${what}: of one that is ${isKnown ? 'known' : 'not known'}`)
    }
    if (type === 'DELETED') this.#known.delete(name)
    else this.#known.set(name, versionOf(object.metadata))
  }

  /** From its list up to here it was told all: every acknowledged write is among it. */
  #endOfEpoch(): void {
    for (const version of this.#ledger.acknowledged[this.plural]) {
      const isWithin = version > this.#listed && version <= this.#at
      if (isWithin && !this.#seen.has(version)) this.wrongs.push(`never told of ${version}`)
    }
    this.#seen = new Set()
    this.#listed = this.#at
  }
}

const versionOf = ({ resourceVersion }: { readonly resourceVersion: string }): number =>
  Number(resourceVersion)
