// Who leads? The holder of a Lease; expiry is measured by our own monotonic clock since the lease
// was last seen to change, and past the renew deadline nothing more is written.
import { type Adoption, adoptionAnnotation, adoptionOf } from '../../edge/kube/adoption.ts'
import type { Api, ApiRequest } from '../../edge/kube/api/client.ts'
import { ApiError, type Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import { ifThere } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../edge/kube/kinds.ts'

type LeaderParts = {
  readonly api: Api
  readonly namespace: string
  readonly name: string
  readonly identity: string
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** RFC 3339, for people. */
  readonly timestamp: () => string
  readonly failed: (fault: Fault) => void
}

const [leaseMs, renewMs, retryMs] = [15_000, 10_000, 2_000]
/** A standby looks more often, so that a released lease is taken within 2 s. */
const lookMs = 1_000
/** Two tries fit into the renew deadline even when a server does not answer. */
const answerMs = 4_000
const leases = resourceOf('Lease')
const leaseType = typeOf('Lease')

export class Leader {
  readonly #parts: LeaderParts
  #seen = ''
  #seenAtMs = 0
  #renewedAtMs = Number.NEGATIVE_INFINITY
  #isReleased = false
  #hasRead = false
  #adoption: Adoption | undefined
  #mark: Adoption | undefined
  #attempts: Promise<unknown> = Promise.resolve()
  #changed: () => void = () => undefined
  /** What the last attempt failed with: the next one, a second later, fails with the same. */
  #failure = ''

  constructor(parts: LeaderParts) {
    this.#parts = parts
  }

  /** Only until the renew deadline: whoever takes over waits for longer than that. */
  get isLeading(): boolean {
    return !this.#isReleased && this.#parts.nowMs() - this.#renewedAtMs < renewMs
  }

  /** Whether it is known what the Lease says. */
  get hasRead(): boolean {
    return this.#hasRead
  }

  /** As the Lease says, or is about to say. */
  get adoption(): Adoption | undefined {
    return this.#mark ?? this.#adoption
  }

  /** Whether it says so. */
  get isMarked(): boolean {
    return this.adoption === this.#adoption
  }

  /** Writes it at once, and again with every renewal while we lead. */
  async mark(adoption: Adoption): Promise<void> {
    this.#mark = adoption
    await this.#try()
  }

  /** Tries for the lease, or renews it, until the signal aborts. */
  async run(signal: AbortSignal, changed: () => void): Promise<void> {
    this.#changed = changed
    while (!signal.aborted) {
      const was = this.isLeading
      await this.#try()
      if (was && !this.isLeading) changed()
      await this.#parts.sleep(this.isLeading ? retryMs : lookMs)
    }
  }

  /** Gives the lease back, so that nobody has to wait until it has expired. */
  async release(): Promise<void> {
    const held = this.isLeading
    this.#isReleased = true
    if (!held) return
    try {
      const lease = await this.#read()
      const holder = lease?.inner('spec').text('holderIdentity')
      if (lease === undefined || holder !== this.#parts.identity) return
      const leaseTransitions = lease.inner('spec').number('leaseTransitions') ?? 0
      const { metadata, spec } = this.#lease(leaseTransitions, lease)
      const body = { ...leaseType, metadata, spec: { leaseTransitions, renewTime: spec.renewTime } }
      await this.#call({ method: 'PUT', path: this.#path(this.#parts.name), body })
    } catch (error) {
      this.#told(error)
    }
  }

  /**
   * One after another: each writes what it has just read. What was put off while the deadline was
   * past goes on, however short that was; if that fails, it is no fault of the Lease.
   */
  async #try(): Promise<void> {
    const attempt = this.#attempts
      .then(async () => {
        const isGained = await this.#attempt()
        this.#failure = ''
        return isGained
      })
      .catch((error: unknown) => {
        this.#told(error)
        return false
      })
    this.#attempts = attempt
    if (await attempt) this.#changed()
  }

  /** A conflict only says that another was faster. What fails every second is told once. */
  #told(error: unknown): void {
    const fault = faultFrom(error, 'leader lease')
    const isLate = fault instanceof ApiError && fault.code === 409
    if (isLate || fault.message === this.#failure) return
    this.#failure = fault.message
    this.#parts.failed(fault)
  }

  /** Whether we lead from now on, and did not before. */
  async #attempt(): Promise<boolean> {
    const { nowMs, identity } = this.#parts
    const startedAtMs = nowMs()
    const lease = await this.#read()
    this.#hasRead = true
    if (lease === undefined) {
      this.#adoption = undefined
      await this.#call({ method: 'POST', path: this.#path(), body: this.#lease(0, undefined) })
      return this.#renewed(startedAtMs)
    }
    const spec = lease.inner('spec')
    this.#adoption = adoptionOf(lease)
    const version = lease.inner('metadata').text('resourceVersion')
    if (version !== this.#seen) [this.#seen, this.#seenAtMs] = [version, startedAtMs]
    const holder = spec.text('holderIdentity')
    const isFree = holder === '' || startedAtMs - this.#seenAtMs >= leaseMs
    // Another has it: what we believed until now no longer holds, whatever our clock says.
    if (holder !== identity) {
      this.#renewedAtMs = Number.NEGATIVE_INFINITY
      this.#mark = undefined
    }
    if (holder !== identity && !isFree) return false
    const transitions = (spec.number('leaseTransitions') ?? 0) + (holder === identity ? 0 : 1)
    const path = this.#path(this.#parts.name)
    await this.#call({ method: 'PUT', path, body: this.#lease(transitions, lease) })
    return this.#renewed(startedAtMs)
  }

  #renewed(startedAtMs: number): boolean {
    const was = this.isLeading
    this.#renewedAtMs = startedAtMs
    this.#adoption = this.adoption
    return !was && this.isLeading
  }

  async #read(): Promise<Fields | undefined> {
    const path = this.#path(this.#parts.name)
    const lease = await ifThere(this.#call({ method: 'GET', path }))
    return lease === undefined ? undefined : new Fields(lease, [])
  }

  #call(request: ApiRequest): Promise<unknown> {
    return this.#parts.api.call({ ...request, timeoutMs: answerMs })
  }

  #path(name?: string): string {
    return pathOf({ ...leases, namespace: this.#parts.namespace }, name)
  }

  #lease(leaseTransitions: number, before: Fields | undefined) {
    const { name, namespace, identity, timestamp } = this.#parts
    const known = before?.inner('metadata')
    const mark = this.adoption
    const annotations = {
      ...known?.labels('annotations'),
      ...(mark === undefined ? {} : { [adoptionAnnotation]: mark }),
    }
    const version = known && { resourceVersion: known.text('resourceVersion') }
    return {
      ...leaseType,
      metadata: { name, namespace, annotations, ...version },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: leaseMs / 1000,
        // The API takes microseconds here and nothing else.
        renewTime: timestamp().replace(/(\.\d+)?Z$/, '.000000Z'),
        leaseTransitions,
      },
    }
  }
}
