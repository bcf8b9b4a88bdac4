// Was each address that a Service showed recorded for it, at any moment (R3.12)? Services and
// Addresses are put in the order of their versions, which one store counts for all kinds.
import { systemClock } from '../../src/edge/host/clock.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { watch } from '../../src/edge/kube/api/watch.ts'
import { core, type KubeObject, verbs } from './cluster.ts'
import { holdersOf, shownBy } from './controllers.ts'
import { until } from './waits.ts'

/** From this version on the object says this: pairs of address and uid. */
type Moment = {
  readonly version: number
  readonly kind: Kind
  readonly name: string
  readonly pairs: readonly string[]
}
type Kind = 'Service' | 'Address'

export type Timeline = {
  /** What was shown by whom it was not recorded for, once all that happened has been seen. */
  readonly shownOnly: () => Promise<string[]>
  readonly end: () => Promise<void>
}

const resources = {
  Service: core('services'),
  Address: { group: 'berth.dev', version: 'v1alpha1', plural: 'addresses' },
} as const satisfies Record<Kind, Resource>
const kinds = ['Service', 'Address'] as const

export function timeline(admin: Api): Timeline {
  const stop = new AbortController()
  const options = { signal: stop.signal, clock: systemClock, random: Math.random }
  const moments: Moment[] = []
  const follow = async (kind: Kind): Promise<void> => {
    for await (const step of watch(admin, resources[kind], options)) {
      if ('json' in step) moments.push(momentOf(kind, step.json as KubeObject, step.type))
    }
  }
  const following = kinds.map(follow)
  const isSeen = (one: Moment): boolean =>
    moments.some(({ kind, name, version }) => {
      return kind === one.kind && name === one.name && version === one.version
    })
  const caughtUp = async (kind: Kind): Promise<void> => {
    const { items } = await verbs(admin, resources[kind]).list()
    const all = items.map((json) => momentOf(kind, json))
    await until('the timeline is whole', () => all.every(isSeen) || undefined)
  }
  return {
    async shownOnly() {
      for (const kind of kinds) await caughtUp(kind)
      return gapsIn(moments)
    },
    async end() {
      stop.abort()
      await Promise.all(following)
    },
  }
}

function momentOf(kind: Kind, json: KubeObject, type = 'apply'): Moment {
  const { namespace = '', name, uid, resourceVersion } = json.metadata
  const [address, holders] = [json.spec?.['address'], holdersOf(json)]
  const shown = shownBy(json).map((ip) => `${ip} ${uid}`)
  const said = kind === 'Service' ? shown : holders.map((one) => `${address} ${one.uid}`)
  const pairs = type === 'delete' ? [] : said
  return { version: Number(resourceVersion), kind, name: `${namespace}/${name}`, pairs }
}

function gapsIn(moments: readonly Moment[]): string[] {
  const said = { Service: new Map<string, readonly string[]>(), Address: new Map() }
  const gaps = new Set<string>()
  const inOrder = moments.toSorted((one, other) => one.version - other.version)
  for (const { kind, name, pairs } of inOrder) {
    said[kind].set(name, pairs)
    const known = new Set([...said.Address.values()].flat())
    for (const [service, ips] of said.Service) {
      for (const pair of ips) if (!known.has(pair)) gaps.add(`${service} shows ${pair}`)
    }
  }
  return [...gaps]
}
