// How are the API server's questions answered, by every replica? A server that always answers, and
// beside it a loop that keeps its certificate agreed, known and fresh.
import type { Gate } from '../../core/model/gate.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import type { Certificate } from '../../edge/host/certificate.ts'
import { type Route, startTlsServer } from '../../edge/host/tlsServer.ts'
import { backoffMs } from '../../edge/kube/api/backoff.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { faultFrom } from '../../edge/kube/api/fault.ts'
import { publishBundle } from './webhookBundle.ts'
import type { CompleteNew } from './webhookComplete.ts'
import { completionRoutes, webhookRoutes } from './webhookRoutes.ts'
import { agreedCertificate } from './webhookSecret.ts'

type WebhookParts = {
  readonly api: Api
  readonly gate: Gate
  /** Undefined until every list is in. */
  readonly world: () => ReadonlyWorld | undefined
  /** As it was known last; undefined until every list was in once. */
  readonly lastKnown: () => ReadonlyWorld | undefined
  /** What is asked before an object is made; nothing is completed then without it. */
  readonly complete?: CompleteNew
  readonly namespace: string
  /** 9443 in an install; 0 for any that is free. */
  readonly port: number
  readonly host?: string
  /** That the API server calls us by; the Service's when absent. */
  readonly names?: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly now: () => Date
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

export type Webhooks = {
  readonly port: number
  /** What is served; its chain of certificates, PEM. Empty until there is one. */
  readonly certificate: () => string
  readonly close: () => Promise<void>
}

const serviceName = 'berth-webhook-service'

/** As much as the API server itself takes in one request. */
const maxBytes = 3 * 1024 * 1024
const roundMs = 30_000

/** Ends once the port is open; the certificate follows as soon as the API can be reached. */
export async function startWebhooks(parts: WebhookParts): Promise<Webhooks> {
  const { gate, world, lastKnown, port, host, log } = parts
  const server = await startTlsServer({
    port,
    ...(host === undefined ? {} : { host }),
    maxBytes,
    routes: new Map<string, Route>([
      ...webhookRoutes({ gate, world, lastKnown }),
      ...(parts.complete === undefined ? [] : completionRoutes(parts.complete)),
    ]),
    failed: (error) => log({ level: 'error', object: 'webhook', message: String(error) }),
  })
  const stop = new AbortController()
  const { signal } = stop
  const api: Api = { ...parts.api, call: (request) => parts.api.call({ ...request, signal }) }
  let served = ''
  const serve = (certificate: Certificate) => {
    server.present(certificate)
    served = certificate.cert
  }
  const kept = keepCertificate({ ...parts, api }, serve, signal)
  return {
    port: server.port,
    certificate: () => served,
    async close() {
      stop.abort()
      await Promise.all([kept, server.close()])
    },
  }
}

/** The one place where a fault of this loop is met; the same one is said once. */
async function keepCertificate(
  parts: WebhookParts,
  serve: (certificate: Certificate) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, log } = parts
  const round = rounds(parts, serve)
  let [failures, said] = [0, '']
  while (!signal.aborted) {
    try {
      await round()
      ;[failures, said] = [0, '']
    } catch (error) {
      const { message } = faultFrom(error, 'webhook certificate')
      if (message !== said && !signal.aborted)
        log({ level: 'warn', object: 'webhook certificate', message })
      ;[failures, said] = [failures + 1, message]
    }
    await clock.sleep(failures === 0 ? roundMs : backoffMs(failures, random), signal)
  }
}

/**
 * A successor is served a round after its authority was published: until then the API server may
 * not know it. The first is served at once, since there is nothing better.
 */
function rounds(parts: WebhookParts, serve: (certificate: Certificate) => void) {
  const { api, namespace, now, names = [`${serviceName}.${namespace}.svc`] } = parts
  let served: Certificate | undefined
  let published = ''
  return async () => {
    const certificate = await agreedCertificate({ api, namespace, names, now })
    const isNew = certificate.cert !== served?.cert
    if (isNew && (served === undefined || published === certificate.ca)) {
      serve(certificate)
      served = certificate
    }
    await publishBundle({ api, names, bundle: certificate.ca })
    published = certificate.ca
  }
}
