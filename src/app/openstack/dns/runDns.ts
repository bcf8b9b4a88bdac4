// Who answers for names on a single machine, where nobody runs pods? A dnsmasq for each DNSMasq,
// our child; its Deployment says whether it answers and where, as it would in a cluster.
import { join } from 'node:path'
import type { DeploymentView, DnsMasq } from '../../../core/model/names/dns.ts'
import { type Site, siteName } from '../../../core/model/site.ts'
import { serverName } from '../../../core/policy/names/serverService.ts'
import { withSiteNames } from '../../../core/policy/names/siteOptions.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { watch } from '../../../edge/kube/api/watch.ts'
import { decodeDeployment, decodeDnsMasq } from '../../../edge/kube/decode/decodeDns.ts'
import { decodeSite } from '../../../edge/kube/decode/decodeSite.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { type KindName, resourceOf, rowOf } from '../../../edge/kube/kinds.ts'
import { closeDnsFolder, openDnsFolder } from './dnsFolder.ts'
import { DnsServer } from './dnsServer.ts'
import { fileNameOf } from './fileName.ts'
import { freePort } from './freePort.ts'
import { reportServer } from './reportServer.ts'

type DnsParts = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  /** A file that tells where the servers have their files. */
  readonly note: string
  readonly address: string
  readonly firstPort: number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

type Entry = { readonly key: string }

/** Until the signal aborts; then all servers have ended. */
export async function runDns(parts: DnsParts, signal: AbortSignal): Promise<void> {
  const servers = new DnsServers(parts)
  const { dnsMasqs, deployments, sites, changed } = servers
  try {
    await Promise.all([
      follow(parts, { kind: 'DNSMasq', known: dnsMasqs, decode: decodeDnsMasq, changed, signal }),
      follow(parts, { kind: 'Site', known: sites, decode: decodeKeyedSite, changed, signal }),
      follow(parts, {
        kind: 'Deployment',
        known: deployments,
        decode: decodeDeployment,
        changed,
        signal,
      }),
    ])
  } finally {
    await servers.stop()
  }
}

const decodeKeyedSite = (object: Fields): Entry & { readonly site: Site } => {
  const site = decodeSite(object)
  return { key: site.name, site }
}

type Followed<V extends Entry> = {
  readonly kind: KindName
  readonly known: Map<string, V>
  readonly decode: (object: Fields) => V
  readonly changed: () => void
  readonly signal: AbortSignal
}

async function follow<V extends Entry>(parts: DnsParts, followed: Followed<V>): Promise<void> {
  const { kind, known, decode, changed, signal } = followed
  const { labelSelector } = rowOf(kind)
  const selector = labelSelector === undefined ? {} : { selector: { labelSelector } }
  let listed = new Set<string>()
  for await (const step of watch(
    parts.api,
    { ...resourceOf(kind), ...selector },
    {
      ...parts,
      signal,
    },
  )) {
    if (step.type === 'init') listed = new Set()
    else if (step.type === 'fault') continue
    else if (step.type === 'init-done') {
      for (const key of known.keys()) if (!listed.has(key)) known.delete(key)
    } else {
      const view = decode(new Fields(step.json, []))
      listed.add(view.key)
      if (step.type === 'delete') known.delete(view.key)
      else known.set(view.key, view)
    }
    if (step.type !== 'init' && step.type !== 'init-apply') changed()
  }
}

type Served = { readonly server: DnsMasq; readonly deployment: DeploymentView }

/** Each is a process of this machine, and there are 200 ports for all namespaces. */
const mostBeside = 16

type Rounds = { isDue: boolean; readonly over: Promise<void> }

class DnsServers {
  readonly dnsMasqs = new Map<string, DnsMasq>()
  readonly deployments = new Map<string, DeploymentView>()
  readonly sites = new Map<string, { readonly key: string; readonly site: Site }>()
  readonly #parts: DnsParts
  /** Made for the first server. */
  #folder: string | undefined
  readonly #running = new Map<string, DnsServer>()
  /** By namespace. */
  readonly #rounds = new Map<string, Rounds>()
  #starting: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(parts: DnsParts) {
    this.#parts = parts
    closeDnsFolder(parts.note)
  }

  /** Each namespace for itself: options can be such that dnsmasq tests them for many seconds. */
  readonly changed = (): void => {
    const served = [...this.#running.values()].map(({ namespace }) => namespace)
    const wanted = [...this.dnsMasqs.values()].map(({ namespace }) => namespace)
    for (const namespace of new Set([...served, ...wanted])) this.#beginIn(namespace)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all([...this.#rounds.values()].map(({ over }) => over))
    await Promise.all([...this.#running.values()].map((server) => server.stop()))
    closeDnsFolder(this.#parts.note)
  }

  /** One round at a time; what changes during one is seen by the next. */
  #beginIn(namespace: string): void {
    if (this.#isOver) return
    const rounds = this.#rounds.get(namespace)
    if (rounds !== undefined) rounds.isDue = true
    else this.#rounds.set(namespace, this.#roundsIn(namespace))
  }

  #roundsIn(namespace: string): Rounds {
    const rounds = { isDue: true, over: Promise.resolve() }
    const work = async (): Promise<void> => {
      while (rounds.isDue && !this.#isOver) {
        rounds.isDue = false
        await this.#look(namespace).catch((error: unknown) => {
          this.#parts.log({ level: 'error', object: 'dns', message: String(error) })
        })
      }
      this.#rounds.delete(namespace)
    }
    rounds.over = rounds.over.then(work)
    return rounds
  }

  async #look(namespace: string): Promise<void> {
    for (const [key, server] of this.#running) {
      if (server.namespace === namespace && this.#wanted(key) === undefined) {
        this.#running.delete(key)
        await server.stop()
      }
    }
    const servers = [...this.dnsMasqs.values()].filter((one) => one.namespace === namespace)
    for (const key of servers.map((one) => one.key).sort()) {
      const wanted = this.#wanted(key)
      if (wanted !== undefined && !this.#isOver) await this.#serveOrSay(wanted)
    }
  }

  /** One that cannot be served keeps no other from it. */
  async #serveOrSay(wanted: Served): Promise<void> {
    try {
      await this.#serve(wanted)
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error)
      this.#parts.log({ level: 'warn', object: `DNSMasq ${wanted.server.key}`, message: trouble })
      await reportServer(this.#parts.api, wanted.deployment, { isReady: false, trouble })
    }
  }

  /** As in a cluster there is nothing before the Deployment, and no pod without replicas. */
  #wanted(key: string): Served | undefined {
    const server = this.dnsMasqs.get(key)
    if (server === undefined || server.isGoing) return undefined
    const deployment = this.deployments.get(`${server.namespace}/${serverName(server)}`)
    if (deployment === undefined || deployment.replicas === 0) return undefined
    return { server: withSiteNames(server, this.sites.get(siteName)?.site), deployment }
  }

  async #serve({ server, deployment }: Served): Promise<void> {
    const running = this.#running.get(server.key) ?? (await this.#start(server, deployment))
    await running.configure(server)
    await reportServer(this.#parts.api, deployment, running)
  }

  /** One after the other: each sees which ports those before it have. */
  #start(server: DnsMasq, deployment: DeploymentView): Promise<DnsServer> {
    const started = this.#starting.then(() => this.#startNow(server, deployment))
    this.#starting = started.catch(() => undefined)
    return started
  }

  async #startNow(
    { key, namespace, name }: DnsMasq,
    deployment: DeploymentView,
  ): Promise<DnsServer> {
    const { address, firstPort: first } = this.#parts
    const beside = [...this.#running.values()].filter((one) => one.namespace === namespace)
    if (beside.length >= mostBeside) {
      throw new Fault(
        `namespace ${namespace} has ${mostBeside} DNS servers on this machine already`,
      )
    }
    const taken = new Set([...this.#running.values()].map(({ place }) => place.port))
    const before = Number(deployment.answersAt[0]?.split(':').at(-1)) || undefined
    const port = await freePort({ address, first, before, taken })
    this.#folder ??= openDnsFolder(this.#parts.note)
    const folder = join(this.#folder, fileNameOf(`${namespace}.${name}`))
    const place = { folder, address, port }
    const { changed } = this
    const server = new DnsServer({ ...this.#parts, namespace, place, changed })
    this.#running.set(key, server)
    return server
  }
}
