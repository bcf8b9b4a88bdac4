// How does a node report what it announces? In one status per Service and protocol, written when it
// changes; statuses left behind by dead nodes are deleted.
import { createHash } from 'node:crypto'
import type { Key } from '../../../core/model/service.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, faultFrom } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf, type Resource } from '../../../edge/kube/api/resource.ts'
import {
  canTell,
  type ServiceStatus,
  type StatusKind,
  statusForms,
  statusLabels,
} from '../../../edge/kube/decode/decodeServiceStatus.ts'
import { resourceOf, typeOf } from '../../../edge/kube/kinds.ts'
import type { Pod } from '../../../edge/kube/write/configurationState.ts'
import { WritePace } from '../../../edge/kube/write/writePace.ts'
import type { ServiceStatuses } from './serviceStatuses.ts'

type WriterParts = {
  readonly kind: StatusKind
  readonly api: Api
  readonly statuses: Pick<ServiceStatuses, 'of' | 'answered' | 'drop' | 'isServed'>
  readonly node: string
  readonly namespace: string
  /** Our own Pod, which owns the statuses, as in MetalLB. */
  readonly pod: Pod | undefined
  /** The interfaces or peers of the Service; undefined if it is not announced here. */
  readonly wanted: (service: Key) => readonly string[] | undefined
  /** Whether this node should delete the status that a dead node left behind. */
  readonly mayClear: (status: ServiceStatus) => boolean
  /** False while there is still something to announce. */
  readonly mayWrite: () => boolean
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

const atOnce = 8
/** Delays if someone keeps deleting our status, perhaps a node that considers us dead. */
const [againMs, mostAgainMs] = [1_000, 600_000]
const mergePatch = 'application/merge-patch+json'

export class ServiceStatusWriter {
  readonly #parts: WriterParts
  readonly #resource: Resource
  readonly #pace: WritePace
  readonly #waiting = new Set<Key>()
  readonly #underway = new Set<Key>()
  readonly #written = new Set<Key>()
  readonly #losses = new Losses()
  /** What we deleted of others, by node and Service, with its uid. */
  readonly #cleared = new Map<string, string>()

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.#resource = resourceOf(parts.kind, parts.namespace)
    this.#pace = new WritePace(parts.random)
  }

  get isQuiet(): boolean {
    return this.#waiting.size + this.#underway.size === 0
  }

  /** The Service's announcement, or a status of it, may have changed. */
  touch(service: Key): void {
    this.#waiting.add(service)
    this.pump()
  }

  /** Peers may see us again, and we them: statuses that they deleted are rewritten at once. */
  forgive(): void {
    this.#cleared.clear()
    const lost = this.#losses.takeAll()
    for (const service of lost) this.#written.delete(service)
    for (const service of lost) this.touch(service)
  }

  pump(): void {
    const { statuses, node, mayWrite } = this.#parts
    if (!statuses.isServed || !mayWrite() || !canTell(node)) return
    for (const service of this.#waiting) {
      if (this.#underway.size >= Math.min(atOnce, this.#pace.most)) return
      if (this.#underway.has(service)) continue
      this.#waiting.delete(service)
      if (this.#isRight(service) || this.#isHeldBack(service)) continue
      this.#underway.add(service)
      void this.#settle(service).then(() => {
        this.#underway.delete(service)
        this.pump()
      })
    }
  }

  /** The one place that handles a failed write. */
  async #settle(service: Key): Promise<void> {
    const { sleep, log } = this.#parts
    try {
      await this.#write(service)
      this.#pace.accepted(service)
    } catch (error) {
      const fault = faultFrom(error, `${this.#parts.kind} of ${service}`)
      const waitMs = this.#pace.refused(service, fault)
      log({ level: 'warn', object: `Service/${service}`, message: fault.message })
      await sleep(waitMs)
    }
    this.#waiting.add(service)
  }

  #isRight(service: Key): boolean {
    const { statuses, node, wanted } = this.#parts
    const [all, names] = [statuses.of(service), wanted(service)]
    const ours = all.filter((status) => status.node === node)
    if (all.some((status) => this.#isLeft(status))) return false
    if (names === undefined) {
      this.#written.delete(service)
      this.#losses.forget(service)
      return ours.length === 0
    }
    return ours.length === 1 && ours.every((one) => says(one, names))
  }

  #isHeldBack(service: Key): boolean {
    const { statuses, node, wanted, sleep } = this.#parts
    const isThere = statuses.of(service).some((status) => status.node === node)
    if (isThere || wanted(service) === undefined || !this.#written.has(service)) return false
    const next = this.#losses.next(service)
    if (typeof next === 'string' || next === 0) return next === 'waiting'
    void sleep(next).then(() => {
      this.#losses.enter(service, 'waited')
      this.touch(service)
    })
    return true
  }

  /**
   * A status that comes again after it was cleared is of a speaker that is alive, though we do not
   * see it. It stays, so that two owners are seen for as long as there are two.
   */
  #isLeft(status: ServiceStatus): boolean {
    const { node, mayClear } = this.#parts
    const cleared = this.#cleared.get(markOf(status))
    return status.node !== node && mayClear(status) && (cleared ?? status.uid) === status.uid
  }

  async #write(service: Key): Promise<void> {
    const { statuses, node, wanted } = this.#parts
    const names = wanted(service)
    const all = statuses.of(service)
    const [ours, ...more] = all.filter((status) => status.node === node)
    const others = all.filter((status) => this.#isLeft(status))
    if (names === undefined) others.push(...(ours === undefined ? [] : [ours]))
    else if (ours === undefined || !says(ours, names)) {
      const { name } = ours ?? (await this.#make(service))
      await this.#report(name, service, names)
      this.#written.add(service)
      this.#losses.enter(service, 'none')
    }
    for (const status of [...more, ...others]) await this.#delete(status)
  }

  /** The API server drops the status on create, so it takes a second write. */
  async #make(service: Key): Promise<{ readonly name: string }> {
    const { kind, api, node, namespace, pod, statuses } = this.#parts
    const name = `${statusForms[kind].prefix}${digestOf(node, service)}`
    const [inNamespace = '', serviceName = ''] = service.split('/')
    const labels = {
      [statusLabels.node]: node,
      [statusLabels.name]: serviceName,
      [statusLabels.namespace]: inNamespace,
    }
    const owned = pod === undefined ? {} : { ownerReferences: [ownerOf(pod)] }
    const metadata = { name, namespace, labels, ...owned }
    const body = { ...typeOf(kind), metadata, spec: {} }
    try {
      statuses.answered(await api.call({ method: 'POST', path: pathOf(this.#resource), body }))
    } catch (error) {
      // It is our own object, which the watch has yet to report.
      if (!(error instanceof ApiError) || error.code !== 409) throw error
      statuses.answered(await api.call({ method: 'GET', path: pathOf(this.#resource, name) }))
    }
    return { name }
  }

  async #report(name: string, service: Key, names: readonly string[]): Promise<void> {
    const { kind, api, node, statuses } = this.#parts
    const [serviceNamespace = '', serviceName = ''] = service.split('/')
    const status = { node, serviceName, serviceNamespace, ...statusForms[kind].written(names) }
    const path = pathOf(this.#resource, name, 'status')
    const body = { status }
    statuses.answered(await api.call({ method: 'PATCH', path, contentType: mergePatch, body }))
  }

  async #delete(status: ServiceStatus): Promise<void> {
    const { name, uid } = status
    const { api, node, statuses } = this.#parts
    const path = pathOf(this.#resource, name)
    const body = { preconditions: { uid } }
    await ifThere(api.call({ method: 'DELETE', path, body }))
    if (status.node !== node) this.#cleared.set(markOf(status), uid)
    statuses.drop(name)
  }
}

/** How often was our status deleted, and when may it be written again? */
class Losses {
  readonly #known = new Map<Key, { readonly count: number; readonly state: LossState }>()

  /** Milliseconds until the status may be written again; 'waiting' while that timer runs. */
  next(service: Key): number | 'waiting' {
    const { count, state } = this.#known.get(service) ?? { count: 0, state: 'none' }
    if (state !== 'none') return state === 'waiting' ? state : 0
    this.#known.set(service, { count: count + 1, state: 'waiting' })
    return Math.min(mostAgainMs, againMs * 2 ** count)
  }

  enter(service: Key, state: LossState): void {
    const known = this.#known.get(service)
    if (known !== undefined) this.#known.set(service, { ...known, state })
  }

  forget(service: Key): void {
    this.#known.delete(service)
  }

  takeAll(): readonly Key[] {
    const services = [...this.#known.keys()]
    this.#known.clear()
    return services
  }
}

type LossState = 'none' | 'waiting' | 'waited'

const markOf = ({ node, service }: ServiceStatus): string => `${node} ${service}`

/** Deterministic, so that a retry finds what the first attempt created. */
const digestOf = (node: string, service: Key): string =>
  createHash('sha256').update(`${node}#${service}`).digest('hex').slice(0, 12)

const says = ({ isComplete, names }: ServiceStatus, wanted: readonly string[]): boolean =>
  isComplete && names.join() === wanted.join()

const ownerOf = (pod: Pod) => ({ ...typeOf('Pod'), ...pod })
