// What is written about this node's BGP? To which peers each Service is announced, and how the
// sessions are: after announcing, and only when something changes.
import type { BgpSessionStatus } from '../../../../core/model/bgpSession.ts'
import type { Key } from '../../../../core/model/service.ts'
import { backoffMs } from '../../../../edge/kube/api/backoff.ts'
import { faultFrom } from '../../../../edge/kube/api/fault.ts'
import { canTell } from '../../../../edge/kube/decode/decodeServiceStatus.ts'
import type { ProtocolHost } from '../../protocol.ts'
import { ServiceStatuses } from '../../status/serviceStatuses.ts'
import { ServiceStatusWriter } from '../../status/serviceStatusWriter.ts'
import { Leftovers } from './leftovers.ts'
import { SessionReport } from './sessionReport.ts'

type BgpStatusParts = {
  readonly host: ProtocolHost
  /** The peers that this node announces the Service to; undefined for none. */
  readonly peersOf: (service: Key) => readonly string[] | undefined
  readonly sessions: () => readonly BgpSessionStatus[]
  /** Whether the peers know everything that has changed. */
  readonly isTold: () => boolean
}

const kind = 'ServiceBGPStatus'
const roundMs = 1_000

export class BgpStatus {
  readonly #parts: BgpStatusParts
  readonly #stop = new AbortController()
  readonly #statuses: ServiceStatuses
  readonly #writer: ServiceStatusWriter
  readonly #report: SessionReport
  readonly #leftovers: Leftovers
  /** Every Service has been decided once: what was reported before a restart stays until then. */
  #hasBegun = false

  constructor(parts: BgpStatusParts) {
    const { host, peersOf, sessions } = parts
    const { api, world, node, pod, clock, random, log, state } = host
    const { signal } = this.#stop
    const { ownNamespace: namespace } = world
    const { nowMs } = clock
    this.#parts = parts
    const changed = (service: Key) => this.#writer.touch(service)
    const common = { kind, api, namespace, random, log } as const
    this.#statuses = new ServiceStatuses({ ...common, clock, only: node, changed })
    this.#writer = new ServiceStatusWriter({
      ...common,
      statuses: this.#statuses,
      node,
      pod,
      wanted: peersOf,
      mayClear: () => false,
      mayWrite: () => this.#mayWrite,
      sleep: (ms) => clock.sleep(ms, signal),
    })
    this.#report = new SessionReport({
      ...{ api, node, nowMs, signal },
      nodeUid: () => state.nodeUid,
      sessions,
    })
    const nodes = () => world.all('Node').keys()
    this.#leftovers = new Leftovers({ api, node, namespace, nodes, nowMs })
    if (!canTell(node)) return
    // Sessions go on without anybody who reports them.
    void Promise.all([this.#statuses.run(signal), this.#run(signal)]).catch((error: unknown) => {
      log({ level: 'error', object: kind, message: String(error) })
    })
  }

  touch(service: Key): void {
    this.#writer.touch(service)
  }

  settled(): void {
    this.#hasBegun = true
    this.#writer.pump()
  }

  async leave(): Promise<void> {
    const { host } = this.#parts
    if (this.#stop.signal.aborted) return
    this.stop()
    if (!canTell(host.node) || !host.state.hasApi) return
    // Otherwise a node that takes this one for dead clears them.
    await this.#report.end().catch(() => undefined)
  }

  stop(): void {
    this.#stop.abort()
  }

  /** What is no longer reported has left the routers' tables. */
  get #mayWrite(): boolean {
    const { host, isTold } = this.#parts
    const mayReport = this.#hasBegun && !host.state.isSilent && !this.#stop.signal.aborted
    return mayReport && host.queue.isQuiet && isTold()
  }

  /** The one place that handles a failed write. */
  async #run(signal: AbortSignal): Promise<void> {
    const { clock, random, log, state } = this.#parts.host
    for (let failures = 0; !signal.aborted; await clock.sleep(roundMs, signal)) {
      try {
        this.#writer.pump()
        await this.#report.round()
        await this.#leftovers.round(state.speakers)
        failures = 0
      } catch (error) {
        const { message } = faultFrom(error, 'BGPSession')
        if (failures === 0) log({ level: 'warn', object: 'BGPSession', message })
        await clock.sleep(backoffMs(failures++, random), signal)
      }
    }
  }
}
