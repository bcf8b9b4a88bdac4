// What runs when the controller runs? The controller itself, and beside it webhooks, metrics and
// probes, each on a port of its own or not at all.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { BgpMode } from '../../core/model/admission.ts'
import type { Settings } from '../../core/model/world.ts'
import { check, checkDelete } from '../../core/policy/check/check.ts'
import { systemClock } from '../../edge/host/clock.ts'
import { admission } from '../../edge/kube/admission.ts'
import { newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { startProbes } from '../../edge/kube/serve/probes.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import { readCrds } from '../../edge/manifests/shippedCrds.ts'
import { Controller } from './controller.ts'
import { startMetrics } from './metrics.ts'
import { runShadow } from './runShadow.ts'
import { startWebhooks } from './webhooks.ts'

export type ControllerRun = {
  readonly connection: Connection
  readonly settings: Settings
  readonly bgpMode: BgpMode
  readonly pod: Pod | undefined
  /** Only compares with what MetalLB writes. */
  readonly isShadow: boolean
  /** False: it only serves the webhooks. */
  readonly mayLead: boolean
  /** undefined: not served. */
  readonly ports: Readonly<Record<'metrics' | 'probes' | 'webhooks', number | undefined>>
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly signal: AbortSignal
}

type Served = { readonly close: () => Promise<void> }

export async function runController(run: ControllerRun): Promise<void> {
  const { connection, settings, pod, isShadow, mayLead, log, signal } = run
  const requests = new Requests()
  const api = requests.counted(newApi(connection))
  const common = { api, settings, clock: systemClock, random: Math.random, log }
  const served: Served[] = []
  try {
    if (isShadow) await runShadow(common, signal)
    else {
      const identity = `${hostname()}_${randomBytes(4).toString('hex')}`
      const controller = new Controller({ ...common, timestamp, identity, pod, mayLead })
      for (const start of servers(run, { ...common, requests, controller })) {
        served.push(await start())
      }
      await controller.run(signal)
    }
  } finally {
    await Promise.all(served.map((one) => one.close()))
    api.close()
  }
}

type Beside = Pick<Parameters<typeof startWebhooks>[0], 'api' | 'clock' | 'random' | 'log'> & {
  readonly requests: Requests
  readonly controller: Controller
}

function servers(run: ControllerRun, beside: Beside): (() => Promise<Served>)[] {
  const { settings, bgpMode, ports } = run
  const { api, clock, random, log, requests, controller } = beside
  const { world } = controller
  const known = () => (controller.isIn ? world : undefined)
  const starts: [number | undefined, (port: number) => Promise<Served>][] = [
    [ports.probes, (port) => startProbes({ port, missing: () => controller.missing })],
    [
      ports.metrics,
      (port) =>
        startMetrics({
          port,
          world,
          requests,
          isLeading: () => controller.isLeading,
          isIn: () => controller.isIn,
          isWaiting: () => controller.waitsFor !== undefined,
          complaints: () => controller.complaints() ?? [],
        }),
    ],
    [
      ports.webhooks,
      async (port) => {
        const gate = admission({ crds: await readCrds(), check, checkDelete, bgpMode })
        const namespace = settings.ownNamespace
        const now = () => new Date()
        return startWebhooks({ api, gate, world: known, namespace, port, clock, random, now, log })
      },
    ],
  ]
  return starts.flatMap(([port, start]) => (port === undefined ? [] : [() => start(port)]))
}

export const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
