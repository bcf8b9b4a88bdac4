// Does infra-operator do here what we do (R12.12)? Its network controllers cannot be switched off
// alone: while it renews its Lease we write nothing of its group, and still count everything. Only
// where an administrator would run it: anybody can make a Lease of that name in their own
// namespace.
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError, type Fault } from '../../edge/kube/api/fault.ts'
import { type WatchStep, watch } from '../../edge/kube/api/watch.ts'
import { metaOf } from '../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

type RivalParts = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly timestamp: () => string
  /** Where it may run. */
  readonly namespaces: readonly string[]
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Called when it begins or ends. */
  readonly changed: () => void
}

const operatorLease = 'c8c223a1.openstack.org'
const leases = {
  ...resourceOf('Lease'),
  selector: { fieldSelector: `metadata.name=${operatorLease}` },
}

/** Of its own manifests, of OpenStack's installation, and of OperatorHub. */
export const operatorNamespaces = [
  'infra-operator-system',
  'openstack-operators',
  'openshift-operators',
] as const

type Seen = { readonly holder: string; readonly text: string; readonly untilMs: number }

const lookMs = 1_000
/** By the clocks of two machines, which may differ: so long after its end it is surely over. */
const surelyMs = 24 * 3_600_000

export class InfraOperator {
  readonly #parts: RivalParts
  /** By namespace. */
  readonly #seen = new Map<string, Seen>()
  readonly #ignored = new Set<string>()
  #listing = new Set<string>()
  #isKnown = false
  #said: string | undefined

  constructor(parts: RivalParts) {
    this.#parts = parts
  }

  /** False until we have looked. */
  get isAlone(): boolean {
    return this.#isKnown && this.waitsFor === undefined
  }

  /** What we wait for, in words. */
  get waitsFor(): string | undefined {
    const nowMs = this.#parts.clock.nowMs()
    const [first] = [...this.#seen].filter(([, { untilMs }]) => nowMs < untilMs).sort()
    if (first === undefined) return undefined
    const [namespace, { holder }] = first
    const who = `infra-operator (${holder}, Lease ${namespace}/${operatorLease})`
    return `${who} serves network.openstack.org: Berth writes nothing in that group until it stops`
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#watch(signal), this.#look(signal)])
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { api, clock, random } = this.#parts
    for await (const step of watch(api, leases, { signal, clock, random })) {
      this.#take(step)
      this.#tell()
    }
  }

  /** A Lease that is not renewed ends without an event. */
  async #look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(lookMs, signal)
      this.#tell()
    }
  }

  #take(step: WatchStep): void {
    if (step.type === 'init') this.#listing = new Set()
    else if (step.type === 'fault') this.#fail(step.fault)
    else if (step.type === 'init-done') {
      for (const namespace of this.#seen.keys()) {
        if (!this.#listing.has(namespace)) this.#seen.delete(namespace)
      }
      this.#isKnown = true
    } else {
      const lease = new Fields(step.json, [])
      const { namespace } = metaOf(lease)
      if (!this.#parts.namespaces.includes(namespace)) {
        this.#ignore(namespace)
        return
      }
      this.#listing.add(namespace)
      if (step.type === 'delete') this.#seen.delete(namespace)
      else this.#note(namespace, lease.inner('spec'))
    }
  }

  /** Said once. */
  #ignore(namespace: string): void {
    if (this.#ignored.has(namespace)) return
    this.#ignored.add(namespace)
    const what = `Lease ${namespace}/${operatorLease} does not count: infra-operator is expected in`
    const remedy = 'if it runs there, say so with --infra-operator-namespaces'
    const message = `${what} ${this.#parts.namespaces.join(', ')}; ${remedy}`
    this.#parts.log({ level: 'warn', object: 'infra-operator', message })
  }

  /** Measured by our own clock since it was last seen to change. */
  #note(namespace: string, spec: Fields): void {
    const { clock, timestamp } = this.#parts
    const [holder, renewed] = [spec.text('holderIdentity'), spec.text('renewTime')]
    const text = `${holder} ${renewed}`
    if (this.#seen.get(namespace)?.text === text) return
    const durationMs = 1000 * (spec.number('leaseDurationSeconds') ?? 15)
    const sinceMs = Date.parse(timestamp()) - Date.parse(renewed)
    const isOver = holder === '' || sinceMs > durationMs + surelyMs
    const untilMs = isOver ? Number.NEGATIVE_INFINITY : clock.nowMs() + durationMs
    this.#seen.set(namespace, { holder, text, untilMs })
  }

  /** Where we were never let look, or no Leases are served, we go on all the same. */
  #fail(fault: Fault): void {
    const isRefused = fault instanceof ApiError && [403, 404].includes(fault.code)
    if (!isRefused || this.#isKnown) return
    this.#isKnown = true
    const message = `whether infra-operator runs is not known: ${fault.message}`
    this.#parts.log({ level: 'warn', object: 'infra-operator', message })
  }

  /** Once for each change. */
  #tell(): void {
    const { log, changed } = this.#parts
    const said = this.#isKnown ? (this.waitsFor ?? '') : undefined
    if (said === this.#said) return
    const isFirst = this.#said === undefined
    this.#said = said
    if (said !== undefined && said !== '')
      log({ level: 'warn', object: 'infra-operator', message: said })
    else if (!isFirst) log({ level: 'info', object: 'infra-operator', message: 'gone: we go on' })
    changed()
  }
}
