// What is written about what this node announces? Status, events, interfaces and whether the
// configuration can be used: all behind announcing, and only when something is different.
import type { Key } from '../../../core/model/service.ts'
import type { World } from '../../../core/model/world.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Sighting } from '../../../core/session/layer2/claim.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import {
  ConfigurationState,
  type Pod,
  type StateNews,
  speakerState,
} from '../../../edge/kube/write/configurationState.ts'
import { Events } from '../../../edge/kube/write/events.ts'
import type { Announcer, Standing } from '../layer2/announcer.ts'
import type { Answers } from '../layer2/answers.ts'
import { Sightings } from '../layer2/sightings.ts'
import {
  eventsOf,
  isAnnounced,
  isToClear,
  mayStayTold,
  sightingEvent,
} from '../layer2/status/follow.ts'
import { L2Statuses } from '../layer2/status/l2Statuses.ts'
import { canTell, L2StatusWriter } from '../layer2/status/l2StatusWriter.ts'
import { problemsOn } from '../layer2/status/nodeProblems.ts'
import { NodeReport } from './nodeReport.ts'

export type ReportingParts = {
  readonly api: Api
  readonly world: World
  readonly node: string
  readonly pod: Pod | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly timestamp: () => string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly signal: AbortSignal
  readonly announcer: Pick<Announcer, 'standings' | 'claims' | 'isQuiet' | 'told'>
  readonly answers: Pick<Answers, 'announced' | 'refused'>
  readonly live: () => ReadonlySet<string>
  /** False while this node is no candidate: what it said before is for others to clear. */
  readonly mayReport: () => boolean
  /** Those that may announce; undefined until they have been read. */
  readonly links: () => readonly HostLink[] | undefined
  readonly hasIpvs: () => boolean
  readonly isArpStrict: (interfaces: readonly string[]) => Promise<boolean | undefined>
  readonly nodeUid: () => string | undefined
  readonly news: () => StateNews
}

const stateMs = 2_000

export class Reporting {
  readonly sightings: Sightings
  readonly #parts: ReportingParts
  readonly #statuses: L2Statuses
  readonly #writer: L2StatusWriter
  readonly #events: Events
  readonly #report: NodeReport
  readonly #state: ConfigurationState
  /** The Services that go out by now. */
  readonly #announced = new Set<Key>()
  #isSweepDue = false

  constructor(parts: ReportingParts) {
    const { api, world, node, pod, clock, random, timestamp, log, signal, announcer } = parts
    const namespace = world.ownNamespace
    const sleep = (ms: number) => clock.sleep(ms, signal)
    const mayWrite = () => announcer.isQuiet && parts.mayReport() && !signal.aborted
    this.#parts = parts
    this.sightings = new Sightings(clock.nowMs)
    this.#statuses = new L2Statuses({
      api,
      clock,
      random,
      namespace,
      log,
      changed: (service, by) => {
        announcer.told(service, by)
        this.#writer.touch(service)
      },
    })
    this.#writer = new L2StatusWriter({
      api,
      statuses: this.#statuses,
      node,
      namespace,
      pod,
      wanted: (service) => this.#wantedOf(service),
      mayClear: (status) =>
        isToClear(status, {
          node,
          live: parts.live(),
          standings: announcer.standings,
          answers: parts.answers,
        }),
      mayWrite,
      random,
      sleep,
      log,
    })
    this.#events = new Events({
      api,
      component: 'metallb-speaker',
      instance: node,
      timestamp,
      mayWrite,
      isBusy: () => !this.#writer.isQuiet,
      sleep,
    })
    const problems = () => this.#problems()
    const { links, nodeUid } = parts
    this.#report = new NodeReport({ api, node, nodeUid, links, problems, clock, random, log })
    this.#state = new ConfigurationState({
      api,
      component: speakerState(node),
      namespace,
      timestamp,
      pod,
    })
  }

  /** What has to be known before anything is announced: what was announced before. */
  get missing(): readonly string[] {
    const statuses = this.#statuses.isIn ? [] : ['ServiceL2Status']
    return this.#report.wasThere === undefined ? [...statuses, 'NodeInterfaces'] : statuses
  }

  /** Whether the Service was announced before we came, as far as can be told. */
  wasAnnounced(service: Key): boolean {
    const { isServed } = this.#statuses
    return isServed ? this.#statuses.of(service).length > 0 : this.#report.wasThere === true
  }

  /** Whether the node says that it announces the Service; also where it could not say so. */
  hasTold(service: Key, node: string): boolean {
    if (!this.#statuses.isServed || !canTell(node)) return true
    return this.#hasStatus(service, node)
  }

  async run(): Promise<void> {
    const { signal } = this.#parts
    await Promise.all([this.#statuses.run(signal), this.#report.run(signal), this.#tellState()])
  }

  /** What was decided of the Service is different from before. */
  decided(service: Key, before: Standing | undefined): void {
    const { world, node, announcer, answers } = this.#parts
    const [after, about] = [announcer.standings.get(service), world.services.get(service)]
    const wasAnnounced = this.#announced.has(service)
    const isOut = isAnnounced(after, answers)
    if (isOut) this.#announced.add(service)
    else this.#announced.delete(service)
    this.#writer.touch(service)
    if (after === undefined || about === undefined) return
    const said = eventsOf({
      node,
      before: before && { ...before, isAnnounced: wasAnnounced },
      after: { ...after, isAnnounced: isOut },
      statuses: this.#statuses.of(service),
    })
    if (said.length > 0) this.#events.say(about, said)
  }

  /** Layer 2 has begun with it, or found it with another machine. */
  begun(address: Ip): void {
    const { claims, standings } = this.#parts.announcer
    for (const key of claims.servicesOf(address)) this.decided(key, standings.get(key))
  }

  speakersChanged(): void {
    this.#isSweepDue = true
  }

  /** Everything is announced. */
  idle(): void {
    if (this.#isSweepDue) this.#sweep()
    this.#writer.pump()
    this.#events.pump()
  }

  saw(sighting: Sighting): void {
    const { world, announcer, log } = this.#parts
    if (!this.sightings.note(sighting)) return
    const said = sightingEvent(sighting)
    log({ level: 'warn', object: `Address/${sighting.address}`, message: said.message })
    for (const key of announcer.claims.servicesOf(sighting.address)) {
      const about = world.services.get(key)
      if (about !== undefined) this.#events.say(about, [said])
    }
  }

  #wantedOf(service: Key): readonly string[] | undefined {
    const { announcer, answers, node } = this.#parts
    const standing = announcer.standings.get(service)
    const isTold = this.#hasStatus(service, node) && mayStayTold(standing, answers)
    return isTold || isAnnounced(standing, answers) ? standing?.interfaces : undefined
  }

  #hasStatus(service: Key, node: string): boolean {
    return this.#statuses.of(service).some((status) => status.node === node)
  }

  /** What dead nodes left behind, and what we said in an earlier life. */
  #sweep(): void {
    const { node, live } = this.#parts
    this.#isSweepDue = false
    this.#writer.forgive()
    const alive = live()
    for (const status of this.#statuses.all) {
      if (status.node === node || !alive.has(status.node)) this.#writer.touch(status.service)
    }
  }

  async #problems() {
    const { world, node, links, hasIpvs, isArpStrict, announcer } = this.#parts
    const foreign = this.sightings.foreign.filter(({ address }) => announcer.claims.has(address))
    const all = links() ?? []
    const names = all.map(({ name }) => name)
    return problemsOn({
      world,
      node,
      links: all,
      hasIpvs: hasIpvs(),
      isArpStrict: hasIpvs() ? await isArpStrict(names) : undefined,
      foreign,
    })
  }

  async #tellState(): Promise<void> {
    const { clock, signal, log, news } = this.#parts
    for (; !signal.aborted; await clock.sleep(stateMs, signal)) {
      await this.#state.report(news()).catch((error: unknown) => {
        log({ level: 'warn', object: 'ConfigurationState', message: String(error) })
      })
    }
  }
}
