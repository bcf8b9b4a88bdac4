// How do the suites run speakers? On a real API, with a membership and a wire that only remember.
import { setTimeout as sleep } from 'node:timers/promises'
import { type BgpBackend, bgpBackend } from '../../src/app/speaker/bgpBackend.ts'
import { layer2Protocol } from '../../src/app/speaker/layer2/layer2Protocol.ts'
import type { ThreadNews } from '../../src/app/speaker/layer2/thread/startThread.ts'
import type { MembersDriver, Own } from '../../src/app/speaker/membership/membersDriver.ts'
import { Speaker } from '../../src/app/speaker/speaker.ts'
import { macFrom } from '../../src/core/net/octets.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { hostLink } from '../build/hostLink.ts'
import { core, type KubeObject, loadBalancer, merge, verbs } from './cluster.ts'
import { ownNamespace, type Spoil, tapped } from './controllers.ts'
import { connectionFor, type KubeAddress } from './harness.ts'
import { until } from './waits.ts'

/** Who is there is known to all at once. */
export class Ring {
  readonly #members = new Map<
    string,
    { own: Own; hasLeft: boolean; readonly changed: () => void }
  >()
  #isHeld = false
  #isSplit = false

  /** Each sees only itself, as when the network between them is cut. */
  split(): void {
    this.#isSplit = true
    this.#tell()
  }

  mend(): void {
    this.#isSplit = false
    this.#tell()
  }

  /** Nobody is live until all may be: else who comes first acts alone. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.#tell()
  }

  get live(): ReadonlySet<string> {
    if (this.#isHeld) return new Set()
    const ready = [...this.#members].filter(([, { own, hasLeft }]) => own.isReady && !hasLeft)
    return new Set(ready.map(([node]) => node))
  }

  join(node: string, changed: () => void): MembersDriver {
    const ring = this
    const own = { isReady: false, hasApi: false, links: [] }
    this.#members.set(node, { own, hasLeft: false, changed })
    return {
      get speakers() {
        const live = [...ring.live].filter((name) => !ring.#isSplit || name === node)
        return { live: new Set(live), expected: new Set(ring.#members.keys()) }
      },
      hasLeft: (name) => ring.#members.get(name)?.hasLeft === true,
      isSettled: true,
      peerMacs: new Map(),
      safeDelayMs: 50,
      setOwn: (own) => ring.#change(node, { own }),
      leave: async () => ring.#change(node, { hasLeft: true }),
      stop: async () => ring.lose(node),
    }
  }

  /** As when it is dead. */
  lose(node: string): void {
    if (this.#members.delete(node)) this.#tell()
  }

  #change(node: string, given: { own?: Own; hasLeft?: boolean }): void {
    const member = this.#members.get(node)
    if (member === undefined) return
    const before = [...this.live].join()
    Object.assign(member, given)
    if ([...this.live].join() !== before) this.#tell()
  }

  #tell(): void {
    for (const { changed } of this.#members.values()) changed()
  }
}

export type RunningSpeaker = {
  readonly node: string
  readonly speaker: Speaker
  /** What was said to the wire: `burst 192.0.2.1`, `withdraw 192.0.2.1`. */
  readonly orders: string[]
  /** Methods and paths of what was written. */
  readonly writes: () => string[]
  readonly log: string[]
  /** Reports news as the answering thread would. */
  readonly wire: (news: ThreadNews) => void
  readonly answers: () => string[]
  readonly stop: () => Promise<void>
}

const mac = (octet: number) => macFrom(Uint8Array.of(2, 0, 0, 0, 0, octet))

export const eth0 = hostLink(2, 'eth0', { mac: mac(1) })

export type SpeakerOptions = {
  readonly ring: Ring
  readonly node: string
  readonly spoil?: Spoil
  /** Another machine has it: who asks first does not begin. */
  readonly taken?: string
  /** Undefined: nothing is announced by BGP. */
  readonly bgp?: BgpBackend
}

export function runSpeaker(
  kube: KubeAddress,
  { ring, node, spoil, taken, bgp }: SpeakerOptions,
  api: Api = newApi(connectionFor(kube, 'admin')),
): RunningSpeaker {
  const tap = tapped(api, spoil)
  const [orders, log, told]: [string[], string[], ((news: ThreadNews) => void)[]] = [[], [], []]
  const answered = new Set<string>()
  const end = new AbortController()
  const layer2 = layer2Protocol({
    excluded: /^lo$/,
    shouldAnnounceAnyway: false,
    isArpStrict: async () => true,
    startThread(tell) {
      told.push(tell)
      tell({ kind: 'links', links: [eth0] })
      tell({ kind: 'open', interfaces: ['eth0'], closed: [] })
      return {
        announce(all) {
          orders.push(...all.map(({ start, address }) => `${start} ${address}`))
          for (const { start, address } of all) {
            answered.add(address)
            const on = { address, interface: eth0.name }
            const foreign = { kind: 'foreign-owner', mac: mac(9), isAnnounced: false } as const
            const isRefused = start === 'probe' && address === taken
            setImmediate(() => {
              if (isRefused) tell({ kind: 'sightings', sightings: [{ ...foreign, ...on }] })
              else tell({ kind: 'started', started: [{ kind: 'started', ...on }] })
            })
          }
        },
        withdraw(all) {
          orders.push(...all.map((address) => `withdraw ${address}`))
          for (const address of all) answered.delete(address)
        },
        peerMacs: () => undefined,
        extend: () => undefined,
        stop: async () => undefined,
      }
    },
    startMembers: async ({ changed }) => ring.join(node, changed),
  })
  const speaker = new Speaker({
    api: tap.api,
    settings: { ownNamespace, loadBalancerClass: '' },
    node,
    clock: systemClock,
    random: Math.random,
    timestamp: () => new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    log: (entry) => log.push(JSON.stringify(entry)),
    shouldIgnoreExcludeLabel: false,
    protocols: [layer2, ...(bgp === undefined ? [] : [bgpBackend(bgp, 0)])],
  })
  const ended = speaker.run(end.signal)
  return {
    node,
    speaker,
    orders,
    log,
    writes: () =>
      tap.seen
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
    get wire() {
      const [first] = told
      if (first === undefined) throw new Error('it has not begun')
      return first
    },
    answers: () => [...answered],
    async stop() {
      end.abort()
      await ended
      tap.api.close()
    },
  }
}

export const isReady = ({ speaker, log }: RunningSpeaker) =>
  until(`it is ready, not ${speaker.missing.join()}; ${log.slice(-3).join('\n')}`, () => {
    return speaker.isReady ? true : undefined
  })

const metallb = (plural: string): Resource => ({
  group: 'metallb.io',
  version: 'v1beta1',
  plural,
  namespace: ownNamespace,
})
export const speakerVerbs = (admin: Api) => ({
  nodes: verbs(admin, core('nodes')),
  pods: verbs(admin, core('pods', ownNamespace)),
  statuses: verbs(admin, metallb('servicel2statuses')),
  states: verbs(admin, metallb('configurationstates')),
  advertisements: verbs(admin, metallb('l2advertisements')),
  pools: verbs(admin, metallb('ipaddresspools')),
  reports: verbs(admin, { group: 'berth.dev', version: 'v1alpha1', plural: 'nodeinterfaces' }),
})

export const advertisement = (name: string, spec: object = {}): object => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'L2Advertisement',
  metadata: { name, namespace: ownNamespace },
  spec,
})

export const aNode = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
})

/** With an address and one ready endpoint, as if others had done their part. */
export async function served(
  admin: Api,
  namespace: string,
  { name, ip }: { readonly name: string; readonly ip: string },
): Promise<KubeObject> {
  const services = verbs(admin, core('services', namespace))
  const made = await services.create(loadBalancer(name))
  await verbs(admin, {
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    namespace,
  }).create({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
    ports: [{ port: 80 }],
  })
  const body = { status: { loadBalancer: { ingress: [{ ip }] } } }
  await services.patch(name, { type: merge, body, subresource: 'status' })
  return made
}

/** Long enough that what was going to be written is. */
export const settle = (): Promise<void> => sleep(300)
