// How does the policy core live on a Kubernetes API? Feeds fill the World, turns decide, records
// write; only while every list is in and we lead (R3.13).
import type { Kind } from '../../core/model/view.ts'
import { type Settings, World } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import type { Resource } from '../../edge/kube/api/resource.ts'
import { watch } from '../../edge/kube/api/watch.ts'
import { Events } from './events.ts'
import { Feed } from './feed.ts'
import { Followers } from './followers.ts'
import { Leader } from './leader.ts'
import { Records } from './records.ts'
import { ServiceTurns } from './serviceTurns.ts'
import { Versions } from './versions.ts'

export type ControllerParts = {
  readonly api: Api
  readonly settings: Settings
  readonly clock: Clock
  readonly random: () => number
  /** The machine's time as RFC 3339. */
  readonly timestamp: () => string
  readonly identity: string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

type Fed = { readonly feed: Feed; readonly watched: Watched }
type Watched = { readonly kind: Kind; readonly resource: Resource; readonly isOptional: boolean }

const ofCore = (kind: Kind, plural: string): Watched => ({
  kind,
  resource: { group: '', version: 'v1', plural },
  isOptional: false,
})
const of = (kind: Kind, group: string, version: string, plural: string): Watched => ({
  kind,
  resource: { group, version, plural },
  isOptional: false,
})

/** A pool or tenant that cannot be listed freezes us; other allocators need not be installed. */
const watched = (ownNamespace: string): Watched[] => [
  ofCore('Service', 'services'),
  ofCore('Namespace', 'namespaces'),
  ofCore('Node', 'nodes'),
  {
    kind: 'IPAddressPool',
    resource: {
      group: 'metallb.io',
      version: 'v1beta1',
      plural: 'ipaddresspools',
      namespace: ownNamespace,
    },
    isOptional: false,
  },
  of('Address', 'berth.dev', 'v1alpha1', 'addresses'),
  of('Tenant', 'berth.dev', 'v1alpha1', 'tenants'),
  { ...of('NodeInterfaces', 'berth.dev', 'v1alpha1', 'nodeinterfaces'), isOptional: true },
  { ...of('NetConfig', 'network.openstack.org', 'v1beta1', 'netconfigs'), isOptional: true },
  { ...of('Reservation', 'network.openstack.org', 'v1beta1', 'reservations'), isOptional: true },
]

export class Controller {
  readonly #parts: ControllerParts
  readonly #feeds: readonly Fed[]
  readonly #leader: Leader
  readonly #turns: ServiceTurns
  readonly #events: Events
  readonly #followers: Followers
  readonly #stop = new AbortController()

  constructor(parts: ControllerParts) {
    const { api, settings, clock, timestamp, identity, log } = parts
    const world = new World(settings)
    const versions = new Versions()
    const sleep = (ms: number) => clock.sleep(ms, this.#stop.signal)
    const mayWrite = () => this.mayWrite
    this.#parts = parts
    this.#feeds = watched(settings.ownNamespace).map((one) => ({
      feed: new Feed({ kind: one.kind, isOptional: one.isOptional, world, versions }),
      watched: one,
    }))
    this.#leader = new Leader({
      api,
      namespace: settings.ownNamespace,
      name: 'berth-controller',
      identity,
      nowMs: clock.nowMs,
      sleep,
      timestamp,
      failed: (fault) => log({ level: 'warn', object: 'lease', message: fault.message }),
    })
    this.#events = new Events({ api, world, timestamp, mayWrite })
    this.#followers = new Followers({ api, world, timestamp, mayWrite })
    this.#turns = new ServiceTurns({
      world,
      records: new Records({ api, world, versions, timestamp, sleep }),
      mayWrite,
      say: (said) => this.#events.say(said),
      failed: (object, fault) => log({ level: 'warn', object, message: fault.message }),
    })
  }

  get mayWrite(): boolean {
    const isIn = this.#feeds.every(({ feed }) => feed.isIn)
    return isIn && this.#leader.isLeading && !this.#stop.signal.aborted
  }

  /** Whether nothing is left to decide or to write. */
  get isQuiet(): boolean {
    const areWritten = this.#turns.isQuiet && this.#followers.isQuiet && this.#events.isQuiet
    return this.mayWrite && areWritten
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true })
    await Promise.all([
      this.#leader.run(this.#stop.signal, () => this.#turns.pump()),
      this.#follow(),
      ...this.#feeds.map((one) => this.#feed(one)),
    ])
  }

  async #feed({ feed, watched: { kind, resource } }: Fed): Promise<void> {
    const { api, clock, random, log } = this.#parts
    const { signal } = this.#stop
    for await (const step of watch(api, resource, { signal, clock, random })) {
      const before = feed.fault?.message
      feed.take(step)
      if (step.type === 'fault' && step.fault.message !== before) {
        log({ level: feed.isIn ? 'info' : 'warn', kind, message: step.fault.message })
      }
      if (step.type !== 'init-apply') this.#turns.pump()
    }
  }

  async #follow(): Promise<void> {
    const { clock } = this.#parts
    while (!this.#stop.signal.aborted) {
      if (this.mayWrite) await this.#followers.round()
      await clock.sleep(1_000, this.#stop.signal)
    }
  }
}
