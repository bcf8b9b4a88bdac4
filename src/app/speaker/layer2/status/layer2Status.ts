// What is written about this node's layer-2 announcements? Status and events, after announcing, and
// only when something changes.
import type { Key } from '../../../../core/model/service.ts'
import type { Ip } from '../../../../core/net/ip.ts'
import type { Sighting } from '../../../../core/session/layer2/announcement.ts'
import { Events } from '../../../../edge/kube/write/events.ts'
import type { Change, ProtocolHost } from '../../protocol.ts'
import type { ServiceStatuses } from '../../status/serviceStatuses.ts'
import { ServiceStatusWriter } from '../../status/serviceStatusWriter.ts'
import type { Answers } from '../answers.ts'
import type { Election } from '../election.ts'
import type { OwnedAddresses } from '../ownedAddresses.ts'
import type { PeerSpeakers } from '../peerSpeakers.ts'
import { Sightings } from '../sightings.ts'
import { eventsOf, isAnnounced, isToClear, mayStayTold, sightingEvent } from './follow.ts'

type Layer2StatusParts = {
  readonly host: ProtocolHost<Election>
  readonly statuses: ServiceStatuses
  readonly owned: Pick<OwnedAddresses, 'servicesOf'>
  readonly answers: Pick<Answers, 'announced' | 'refused'>
  readonly peers: Pick<PeerSpeakers, 'live'>
  /** False while this node is not a candidate: its earlier statuses are for others to clear. */
  readonly mayReport: () => boolean
  readonly signal: AbortSignal
}

export class Layer2Status {
  readonly sightings: Sightings
  readonly #parts: Layer2StatusParts
  readonly #writer: ServiceStatusWriter
  readonly #events: Events
  /** The Services that are announced now. */
  readonly #announced = new Set<Key>()
  #isSweepDue = false

  constructor(parts: Layer2StatusParts) {
    const { host, statuses, answers, peers, mayReport, signal } = parts
    const { api, world, node, pod, clock, random, timestamp, log, queue, wanted } = host
    const sleep = (ms: number) => clock.sleep(ms, signal)
    const mayWrite = () => queue.isQuiet && mayReport() && !signal.aborted
    this.#parts = parts
    this.sightings = new Sightings(clock.nowMs)
    this.#writer = new ServiceStatusWriter({
      kind: 'ServiceL2Status',
      api,
      statuses,
      node,
      namespace: world.ownNamespace,
      pod,
      wanted: (service) => this.#wantedOf(service),
      mayClear: (status) =>
        isToClear(status, { node, live: peers.live, elections: wanted, answers }),
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
  }

  /** A status of the Service has changed. */
  told(service: Key): void {
    this.#writer.touch(service)
  }

  changed({ service, before, after }: Change<Election>): void {
    const { host, answers, statuses } = this.#parts
    const about = host.world.services.get(service)
    const wasAnnounced = this.#announced.has(service)
    const isOut = isAnnounced(after, answers)
    if (isOut) this.#announced.add(service)
    else this.#announced.delete(service)
    this.#writer.touch(service)
    if (after === undefined || about === undefined) return
    const said = eventsOf({
      node: host.node,
      before: before && { ...before, isAnnounced: wasAnnounced },
      after: { ...after, isAnnounced: isOut },
      statuses: statuses.of(service),
    })
    if (said.length > 0) this.#events.say(about, said)
  }

  /** Layer 2 answers for the address, or found it on another machine. */
  begun(address: Ip): void {
    const { owned, host } = this.#parts
    for (const service of owned.servicesOf(address)) {
      const election = host.wanted.get(service)
      this.changed({ service, before: election, after: election })
    }
  }

  speakersChanged(): void {
    this.#isSweepDue = true
  }

  /** Everything is announced. */
  settled(): void {
    if (this.#isSweepDue) this.#sweep()
    this.#writer.pump()
    this.#events.pump()
  }

  saw(sighting: Sighting): void {
    const { host, owned } = this.#parts
    if (!this.sightings.note(sighting)) return
    const said = sightingEvent(sighting)
    host.log({ level: 'warn', object: `Address/${sighting.address}`, message: said.message })
    for (const service of owned.servicesOf(sighting.address)) {
      const about = host.world.services.get(service)
      if (about !== undefined) this.#events.say(about, [said])
    }
  }

  #wantedOf(service: Key): readonly string[] | undefined {
    const { host, answers, statuses } = this.#parts
    const election = host.wanted.get(service)
    const isTold = statuses.says(service, host.node) && mayStayTold(election, answers)
    return isTold || isAnnounced(election, answers) ? election?.interfaces : undefined
  }

  /** Clears what dead nodes left behind, and our own statuses from before a restart. */
  #sweep(): void {
    const { host, peers, statuses } = this.#parts
    this.#isSweepDue = false
    this.#writer.forgive()
    const { live } = peers
    for (const status of statuses.all) {
      if (status.node === host.node || !live.has(status.node)) this.#writer.touch(status.service)
    }
  }
}
