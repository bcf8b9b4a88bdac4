// How does a protocol keep running? If it fails, it is restarted with a growing delay; the other
// protocols are not affected.
import type { Key } from '../../core/model/service.ts'
import type { Ip } from '../../core/net/ip.ts'
import { backoffMs } from '../../edge/kube/api/backoff.ts'
import type { ProtocolEntry, ProtocolReport } from './protocol.ts'
import { type LifeParts, ProtocolLife } from './protocolLife.ts'

/** After this long without a failure, the delay starts over. */
const calmMs = 60_000
const nothing: ProtocolReport = {
  announced: () => [],
  problems: async () => [],
  complaints: () => [],
  metrics: () => [],
}

export class RunningProtocol {
  readonly name: string
  readonly #entry: ProtocolEntry
  readonly #parts: LifeParts<unknown>
  #life: ProtocolLife<unknown> | undefined
  #failure = ''

  constructor(entry: ProtocolEntry, parts: LifeParts<unknown>) {
    this.name = entry.name
    this.#entry = entry
    this.#parts = parts
  }

  /** What it waits for, in words. */
  get missing(): readonly string[] {
    const because = this.#failure === '' ? '' : `: ${this.#failure}`
    if (this.#life === undefined) return [`protocol ${this.name}${because}`]
    const { protocol, isAnnouncing } = this.#life
    if (protocol.missing.length > 0 || isAnnouncing) return protocol.missing
    return [`the first decisions of protocol ${this.name}`]
  }

  get report(): ProtocolReport {
    return this.#life?.protocol.report ?? nothing
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts
    for (let failures = 0; !signal.aborted; ) {
      const begunMs = clock.nowMs()
      await this.#live(signal)
      if (signal.aborted) return
      if (clock.nowMs() - begunMs > calmMs) failures = 0
      await clock.sleep(backoffMs(failures++, random), signal)
    }
  }

  serviceChanged(service: Key): void {
    this.#life?.serviceChanged(service)
  }

  configurationChanged(): void {
    this.#life?.configurationChanged()
  }

  stateChanged(): void {
    this.#life?.stateChanged()
  }

  released(addresses: readonly Ip[]): void {
    this.#life?.released(addresses)
  }

  pump(): void {
    this.#life?.pump()
  }

  async leave(): Promise<void> {
    await this.#life?.leave().catch((error: unknown) => this.#failed(error))
  }

  /** The one place that handles a protocol's failure. */
  async #live(signal: AbortSignal): Promise<void> {
    try {
      this.#life = new ProtocolLife(this.#entry, this.#parts)
      this.#life.configurationChanged()
      await this.#life.run(signal)
    } catch (error) {
      this.#failed(error)
    }
    await this.#life?.protocol.stop().catch((error: unknown) => this.#failed(error))
    this.#life = undefined
  }

  #failed(error: unknown): void {
    this.#failure = error instanceof Error ? error.message : String(error)
    const message = `${this.#failure}: restarting it`
    this.#parts.log({ level: 'error', protocol: this.name, message })
  }
}
