// What do speakers report as announced? Every status of one kind, or one node's, by Service and by
// name.
import type { Key } from '../../../core/model/service.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { ApiError, type Fault } from '../../../edge/kube/api/fault.ts'
import { type WatchStep, watch } from '../../../edge/kube/api/watch.ts'
import {
  canTell,
  decodeServiceStatus,
  ofNode,
  type ServiceStatus,
  type StatusKind,
} from '../../../edge/kube/decode/decodeServiceStatus.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

type StatusParts = {
  readonly kind: StatusKind
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly namespace: string
  /** The only node whose statuses are read; absent for all. */
  readonly only?: string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** The node's status for the Service changed or was deleted. */
  readonly changed: (service: Key, node: string) => void
}

type How = 'listed' | 'answered'

export class ServiceStatuses {
  readonly #parts: StatusParts
  readonly #byName = new Map<string, ServiceStatus>()
  /** Nearly all Services have one status, stored without an array. */
  readonly #byService = new Map<Key, ServiceStatus | readonly ServiceStatus[]>()
  /** While a list is read: its statuses, and those that we wrote since it was requested. */
  #listing: Map<string, How> | undefined
  /** The watch has reported everything up to this version, including deletions. */
  #shown = 0
  #state: 'unknown' | 'refused' | 'listed' = 'unknown'

  constructor(parts: StatusParts) {
    this.#parts = parts
  }

  /** Whether all statuses are known, or the API does not serve them to us. */
  get isIn(): boolean {
    return this.#state !== 'unknown'
  }

  /** Whether the API serves them, so that they can be written. */
  get isServed(): boolean {
    return this.#state === 'listed'
  }

  get all(): Iterable<ServiceStatus> {
    return this.#byName.values()
  }

  /** Sorted by name. */
  of(service: Key): readonly ServiceStatus[] {
    const known = this.#byService.get(service) ?? []
    return 'name' in known ? [known] : known
  }

  /** Whether the node reports that it announces the Service, or could not report it. */
  hasTold(service: Key, node: string): boolean {
    return !this.isServed || !canTell(node) || this.says(service, node)
  }

  says(service: Key, node: string): boolean {
    return this.of(service).some((status) => status.node === node)
  }

  async run(signal: AbortSignal): Promise<void> {
    const { kind, api, clock, random, namespace, only } = this.#parts
    const all = resourceOf(kind, namespace)
    const resource = only === undefined ? all : { ...all, selector: ofNode(only) }
    for await (const step of watch(api, resource, { signal, clock, random })) {
      this.take(step)
    }
  }

  take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Map()
    else if (step.type === 'init-done') this.#listed(Number(step.resourceVersion))
    else if (step.type === 'fault') this.#failed(step.fault)
    else {
      const status = decodeServiceStatus(this.#parts.kind, new Fields(step.json, []))
      if (step.type === 'delete') this.#deleted(status)
      else this.#put(status, 'listed')
    }
  }

  /** The answer to one of our calls; the watch may have reported a deletion since. */
  answered(json: unknown): void {
    const status = decodeServiceStatus(this.#parts.kind, new Fields(json, []))
    const { name, version } = status
    if (this.#byName.has(name) || !(version <= this.#shown)) this.#put(status, 'answered')
  }

  drop(name: string): void {
    const status = this.#byName.get(name)
    if (status === undefined) return
    this.#unindex(status)
    this.#byName.delete(name)
    this.#parts.changed(status.service, status.node)
  }

  /** Ignores versions older than the known one. */
  #put(status: ServiceStatus, how: How): void {
    const { name, uid, service, node } = status
    const before = this.#byName.get(name)
    if (how === 'listed' || this.#listing?.has(name) === false) this.#listing?.set(name, how)
    if (before?.uid === uid && isNewer(before, status)) return
    if (before !== undefined) this.#unindex(before)
    // A map keeps the key that it knows: without this there would be two texts of each name.
    this.#byName.delete(name)
    this.#byName.set(name, status)
    this.#index(service, [...this.of(service), status].sort(byName))
    this.#parts.changed(service, node)
  }

  #listed(asOf: number): void {
    const listing = this.#listing
    this.#listing = undefined
    this.#state = 'listed'
    this.#shown = asOf
    for (const { name, version } of [...this.#byName.values()]) {
      const how = listing?.get(name)
      const isThere = how === 'listed' || (how === 'answered' && version > asOf)
      if (!isThere) this.drop(name)
    }
  }

  /** Ignores the deletion if we have recreated the object since. */
  #deleted({ name, version }: ServiceStatus): void {
    this.#shown = Math.max(this.#shown, version)
    const isAnother = (this.#byName.get(name)?.version ?? version) > version
    if (!isAnother) this.drop(name)
  }

  #failed(fault: Fault): void {
    const isRefused = fault instanceof ApiError && [401, 403, 404].includes(fault.code)
    if (!isRefused || this.#state === 'refused') return
    this.#state = 'refused'
    this.#parts.log({ level: 'warn', kind: this.#parts.kind, message: fault.message })
  }

  #unindex({ service, name }: ServiceStatus): void {
    const rest = this.of(service).filter((one) => one.name !== name)
    this.#index(service, rest)
  }

  #index(service: Key, all: readonly ServiceStatus[]): void {
    const [first, ...more] = all
    if (first === undefined) this.#byService.delete(service)
    else this.#byService.set(service, more.length === 0 ? first : all)
  }
}

const byName = (one: ServiceStatus, other: ServiceStatus): number =>
  one.name < other.name ? -1 : 1

const isNewer = (one: ServiceStatus, other: ServiceStatus): boolean => one.version >= other.version
