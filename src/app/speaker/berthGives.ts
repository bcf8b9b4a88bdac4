// Does a Berth controller give the addresses here? Then each has an Address before a Service shows
// it. Not while MetalLB's controller gives them, and no longer once ours has been gone for long.
import { adoptionOf, leaseName } from '../../edge/kube/adoption.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError, faultFrom } from '../../edge/kube/api/fault.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

type GivesParts = {
  readonly clock: Clock
  readonly namespace: string
  /** Wall-clock time as RFC 3339. */
  readonly timestamp: () => string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly changed: () => void
}

const askMs = 10_000
const askAgainMs = 500
/** Longer than it takes to schedule the controller anew after its node is lost. */
const goneMs = 600_000

export class BerthGives {
  readonly #parts: GivesParts
  readonly #path: string
  #isHeld: boolean | undefined
  #version = ''
  #askedAtMs = 0
  /** How long nobody has renewed the Lease, counted only while we can read it. */
  #unrenewedMs = 0
  #refused = ''

  constructor(parts: GivesParts) {
    this.#parts = parts
    this.#path = pathOf(resourceOf('Lease', parts.namespace), leaseName)
  }

  /** Undefined until it is known. */
  get isHeld(): boolean | undefined {
    return this.#isHeld
  }

  async run(api: Api, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    while (!signal.aborted) {
      const isKnown = await this.#ask(api, signal)
      await clock.sleep(isKnown ? askMs : askAgainMs, signal)
    }
  }

  async #ask(api: Api, signal: AbortSignal): Promise<boolean> {
    // From the API server's cache: thousands of speakers ask.
    const query = { resourceVersion: '0' }
    try {
      const path = this.#path
      const json = await api.call({ method: 'GET', path, query, signal, timeoutMs: 5_000 })
      this.#see(new Fields(json, []))
    } catch (error) {
      // No Lease, or not for us to read: as before there was one.
      const isRefused = error instanceof ApiError && [403, 404].includes(error.code)
      if (!isRefused) return this.#isHeld !== undefined
      if (error.code === 403) this.#complain(error)
      this.#version = ''
      this.#settle(false)
    }
    return true
  }

  #see(lease: Fields): void {
    const { clock, timestamp } = this.#parts
    const version = lease.inner('metadata').text('resourceVersion')
    const now = clock.nowMs()
    const sinceMs = Math.min(now - this.#askedAtMs, 2 * askMs)
    const renewedAt = Date.parse(lease.inner('spec').text('renewTime'))
    if (this.#version === '') this.#unrenewedMs = Math.max(0, Date.parse(timestamp()) - renewedAt)
    else this.#unrenewedMs = version === this.#version ? this.#unrenewedMs + sinceMs : 0
    this.#version = version
    this.#askedAtMs = now
    this.#settle(adoptionOf(lease) === 'done' && this.#unrenewedMs < goneMs)
  }

  #settle(isHeld: boolean): void {
    const before = this.#isHeld
    this.#isHeld = isHeld
    if (before !== isHeld) this.#parts.changed()
  }

  #complain(error: ApiError): void {
    const { message } = faultFrom(error, 'Lease')
    if (message !== this.#refused) this.#parts.log({ level: 'warn', object: 'Lease', message })
    this.#refused = message
  }
}
