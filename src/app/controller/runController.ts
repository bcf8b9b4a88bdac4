// What runs when the controller runs? The controller itself, and beside it webhooks, metrics and
// probes, each on a port of its own or not at all.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { BgpMode } from '../../core/model/admission.ts'
import type { Settings } from '../../core/model/world.ts'
import { check, checkDelete } from '../../core/policy/check/check.ts'
import { foresee } from '../../core/policy/check/foresee.ts'
import { systemClock, timestamp } from '../../edge/host/clock.ts'
import { metricsCertificate } from '../../edge/host/metricsCertificate.ts'
import { admission } from '../../edge/kube/admission.ts'
import { newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import type { SecureMetrics } from '../../edge/kube/serve/metricsFlags.ts'
import { metricsGuard } from '../../edge/kube/serve/metricsGuard.ts'
import type { Guard } from '../../edge/kube/serve/pages.ts'
import { startProbes } from '../../edge/kube/serve/probes.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import { readCrds } from '../../edge/manifests/shippedCrds.ts'
import { Controller } from './controller.ts'
import type { NewExtension } from './extension.ts'
import { metricsOf } from './metrics.ts'
import { runShadow } from './runShadow.ts'
import { startMetrics } from './startMetrics.ts'
import { startWebhooks, type Webhooks } from './webhooks.ts'

export type ControllerRun = {
  readonly connection: Connection
  readonly settings: Settings
  readonly bgpMode: BgpMode
  readonly pod: Pod | undefined
  /** Only compares with what MetalLB writes. */
  readonly isShadow: boolean
  /** False: it only serves the webhooks. */
  readonly mayLead: boolean
  readonly extensions?: readonly NewExtension[]
  /** undefined: not served. */
  readonly ports: Readonly<Record<'metrics' | 'probes' | 'webhooks', number | undefined>>
  /** undefined: everyone may read the metrics. */
  readonly secureMetrics?: SecureMetrics | undefined
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
      const { extensions = [] } = run
      const own = { timestamp, identity, pod, mayLead, extensions }
      const controller = new Controller({ ...common, ...own })
      const webhooks = { areServed: run.ports.webhooks === undefined, certificate: () => '' }
      const beside = { ...common, requests, controller, served, webhooks }
      for (const start of servers(run, beside)) served.push(await start())
      await withWebhooks(run, beside)
    }
  } finally {
    await Promise.all(served.map((one) => one.close()))
    api.close()
  }
}

type Beside = Pick<Parameters<typeof startWebhooks>[0], 'api' | 'clock' | 'random' | 'log'> & {
  readonly requests: Requests
  readonly controller: Controller
  readonly served: Served[]
  readonly webhooks: { areServed: boolean; certificate: () => string }
}

function servers(run: ControllerRun, beside: Beside): (() => Promise<Served>)[] {
  const { ports } = run
  const { requests, controller, webhooks } = beside
  const missing = () => [...controller.missing, ...(webhooks.areServed ? [] : ['webhooks'])]
  const progress = () => controller.progress()
  // For those who wait until every replica serves it.
  const more = { '/certificate': () => ({ chain: webhooks.certificate() }) }
  const starts: [number | undefined, (port: number) => Promise<Served>][] = [
    [ports.probes, (port) => startProbes({ port, missing, progress, more })],
    [ports.metrics, (port) => startMetrics(port, metricsOf(controller, requests), guardOf(run))],
  ]
  return starts.flatMap(([port, start]) => (port === undefined ? [] : [() => start(port)]))
}

function guardOf({ secureMetrics, connection, log }: ControllerRun): Guard | undefined {
  if (secureMetrics === undefined) return undefined
  const certificate = metricsCertificate(secureMetrics.certificateFolder)
  return metricsGuard({ connection, certificate, clock: systemClock, log })
}

/** Where the lists do not come the webhooks do not wait: they check against what they know. */
const [patienceMs, lookMs] = [2_000, 20]

/**
 * To know all definitions and to make a certificate takes a while, and every Service would wait for
 * it: so the lists are asked for first. A port that is taken ends both.
 */
async function withWebhooks(run: ControllerRun, beside: Beside): Promise<void> {
  const { ports, signal } = run
  const { controller, served, webhooks, clock } = beside
  const stop = new AbortController()
  const late = async (port: number): Promise<void> => {
    for (let ms = 0; ms < patienceMs && !controller.isIn && !signal.aborted; ms += lookMs) {
      await clock.sleep(lookMs, signal)
    }
    if (signal.aborted) return
    const started = await webhooksOn(port, run, beside)
    served.push(started)
    webhooks.certificate = started.certificate
    webhooks.areServed = true
  }
  const outcomes = await Promise.allSettled([
    controller.run(AbortSignal.any([signal, stop.signal])),
    ports.webhooks === undefined ? undefined : late(ports.webhooks).catch(endingWith(stop)),
  ])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

const endingWith = (stop: AbortController) => (error: unknown) => {
  stop.abort()
  throw error
}

async function webhooksOn(
  port: number,
  { settings, bgpMode }: ControllerRun,
  { api, clock, random, log, controller }: Beside,
): Promise<Webhooks> {
  const gate = admission({ crds: await readCrds(), check, checkDelete, foresee, bgpMode })
  const world = () => (controller.isIn ? controller.world : undefined)
  const lastKnown = () => (controller.wasIn ? controller.world : undefined)
  const namespace = settings.ownNamespace
  const now = () => new Date()
  const complete = controller.complete.bind(controller)
  const known = { world, lastKnown, complete }
  return startWebhooks({ api, gate, ...known, namespace, port, clock, random, now, log })
}
