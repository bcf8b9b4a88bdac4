// What has the API promised? Each object is written by one writer alone, so that after any end of
// the process what may be there is known: what was acknowledged last, or what was under way.
import { isRecord } from '../../src/edge/kube/decode/fields.ts'
import type { KubeObject } from '../kube/cluster.ts'

export const plurals = ['configmaps', 'services'] as const
export type Plural = (typeof plurals)[number]

/** Every write of the whole run has a turn of its own; 0 is for an object that is not there. */
export type Entry = {
  readonly plural: Plural
  readonly name: string
  /** One when it is certain. */
  readonly turns: readonly number[]
  /** The resourceVersion of what was acknowledged, if its last write was. */
  readonly version: number | undefined
}

const run = 'load'
export const selected = { labelSelector: `run=${run}` }
const [turnKey, padKey, endKey] = ['turn', 'pad', 'end']

/** It says its turn at its beginning and its end, so that half of it can be told. */
export function bodyOf({ plural, name }: Entry, turn: number, padBytes: number): object {
  const texts = { [turnKey]: `${turn}`, [padKey]: 'x'.repeat(padBytes), [endKey]: `${turn}` }
  const metadata = { name, labels: { run } }
  if (plural === 'configmaps') {
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: texts }
  }
  const type = name.endsWith('0') ? 'LoadBalancer' : 'ClusterIP'
  const spec = { type, ports: [{ port: portOf(turn) }] }
  return { apiVersion: 'v1', kind: 'Service', metadata: { ...metadata, annotations: texts }, spec }
}

const portOf = (turn: number): number => 1 + (turn % 60_000)

/** Undefined when it is not whole. */
export function turnOf({ metadata, spec, data }: KubeObject): number | undefined {
  const texts = data ?? metadata.annotations ?? {}
  const turn = Number(texts[turnKey])
  const ports: unknown = spec?.['ports']
  const [first] = Array.isArray(ports) ? ports : []
  const isPortRight = spec === undefined || (isRecord(first) && first['port'] === portOf(turn))
  return texts[endKey] === texts[turnKey] && isPortRight ? turn : undefined
}

export class Ledger {
  readonly #entries = new Map<string, Entry>()
  /** In their order, for each kind: every one of them is an event of its watches. */
  readonly acknowledged: Record<Plural, number[]> = { configmaps: [], services: [] }
  #turn = 0
  #newest = 0

  nextTurn(): number {
    this.#turn += 1
    return this.#turn
  }

  entry(plural: Plural, name: string): Entry {
    const known = this.#entries.get(`${plural}/${name}`)
    return known ?? { plural, name, turns: [0], version: undefined }
  }

  /** From now on, until it is answered, either may be there. */
  asked(entry: Entry, turn: number): void {
    this.#set({ ...entry, turns: [...entry.turns, turn], version: undefined })
  }

  answered({ plural, name }: Entry, turn: number, { metadata }: KubeObject): void {
    const version = Number(metadata.resourceVersion)
    this.#set({ plural, name, turns: [turn], version: turn === 0 ? undefined : version })
    this.saw(version)
    if (turn !== 0) this.acknowledged[plural].push(version)
  }

  /** Whoever has seen a resourceVersion will find that one or a later one, for ever. */
  saw(version: number): void {
    this.#newest = Math.max(this.#newest, version)
  }

  /** What is wrong with what is there; from then on that is what is known. */
  compare(plural: Plural, revision: number, items: readonly KubeObject[]): string[] {
    const wrongs: string[] = []
    if (revision < this.#newest) wrongs.push(`at ${revision}, but ${this.#newest} was seen`)
    const found = new Map(items.map((item) => [item.metadata.name, item]))
    for (const entry of this.#entries.values()) {
      if (entry.plural !== plural) continue
      wrongs.push(...wrongsOf(entry, found.get(entry.name)))
      this.#settle(entry, found.get(entry.name))
      found.delete(entry.name)
    }
    return [...wrongs, ...[...found.keys()].map((name) => `${plural} ${name} is made up`)]
  }

  #settle(entry: Entry, item: KubeObject | undefined): void {
    const turn = item === undefined ? 0 : (turnOf(item) ?? 0)
    const version = item === undefined ? undefined : Number(item.metadata.resourceVersion)
    this.#set({ ...entry, turns: [turn], version })
  }

  #set(entry: Entry): void {
    this.#entries.set(`${entry.plural}/${entry.name}`, entry)
  }
}

function wrongsOf({ plural, name, turns, version }: Entry, item: KubeObject | undefined): string[] {
  const what = `${plural} ${name}`
  const turn = item === undefined ? 0 : turnOf(item)
  if (turn === undefined) return [`${what} is half there: ${JSON.stringify(item).slice(0, 300)}`]
  if (!turns.includes(turn)) return [`${what} is of turn ${turn}, not of ${turns.join(' or ')}`]
  // A controller may have added the status of a load balancer since.
  const isOlder = version !== undefined && Number(item?.metadata.resourceVersion) < version
  return isOlder ? [`${what} went back to ${item?.metadata.resourceVersion} from ${version}`] : []
}
