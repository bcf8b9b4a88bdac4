// Was an address ever held by two Services that may not share it (P1)? Told from the API's objects
// alone: at every version that there was, and at the end also against the Addresses.
import { systemClock } from '../../src/edge/host/clock.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { watch } from '../../src/edge/kube/api/watch.ts'
import { core, type KubeObject, verbs } from './cluster.ts'
import { type Cluster, holdersOf, shownBy } from './controllers.ts'
import { until } from './waits.ts'

type Shown = {
  readonly key: string
  readonly uid: string
  readonly version: string
  readonly ips: readonly string[]
  readonly terms: Terms
}
type Terms = { readonly sharingKey: string; readonly ports: readonly string[] }

export type Witness = {
  readonly violations: readonly string[]
  /** Addresses that the same Service showed before and then no more. */
  readonly moves: readonly string[]
  /** Ends once all that happened has been seen. */
  readonly caughtUp: () => Promise<unknown>
  readonly end: () => Promise<void>
}

/** Versions of one kind arrive in order, so that each state that there was is seen. */
export function witness(admin: Api): Witness {
  const end = new AbortController()
  const now = new Map<string, Shown>()
  const violations: string[] = []
  const moves: string[] = []
  const options = { signal: end.signal, clock: systemClock, random: Math.random }
  const watching = (async () => {
    for await (const step of watch(admin, core('services'), options)) {
      if (step.type === 'init') now.clear()
      if (!('json' in step)) continue
      const shown = readService(step.json as KubeObject)
      const before = now.get(shown.key)
      now.delete(shown.key)
      if (step.type === 'delete') continue
      for (const other of now.values()) violations.push(...clashes(shown, other))
      if (before !== undefined) moves.push(...lost(before, shown))
      now.set(shown.key, shown)
    }
  })()
  const isSeen = ({ key, version }: Shown): boolean => now.get(key)?.version === version
  const caughtUp = () =>
    until('the witness has seen everything', async () => {
      const all = (await verbs(admin, core('services')).list()).items.map(readService)
      return all.length === now.size && all.every(isSeen) ? true : undefined
    })
  return {
    violations,
    moves,
    caughtUp,
    async end() {
      await caughtUp()
      end.abort()
      await watching
    },
  }
}

function readService(service: KubeObject): Shown {
  const { namespace, name, uid, resourceVersion: version, annotations } = service.metadata
  const spec = (service.spec ?? {}) as { ports?: { protocol: string; port: number }[] }
  return {
    key: `${namespace}/${name}`,
    uid,
    version,
    ips: shownBy(service),
    terms: {
      sharingKey: annotations?.['metallb.io/allow-shared-ip'] ?? '',
      ports: (spec.ports ?? []).map(({ protocol, port }) => `${protocol}/${port}`),
    },
  }
}

/** Ports are the user's to change at any time: only what the controller gives is judged by them. */
function clashes(one: Shown, other: Shown): string[] {
  const common = one.ips.filter((ip) => other.ips.includes(ip))
  const mayShare = one.terms.sharingKey !== '' && one.terms.sharingKey === other.terms.sharingKey
  return mayShare ? [] : common.map((ip) => `${ip}: ${one.key} and ${other.key}`)
}

const lost = (before: Shown, { key, uid, ips }: Shown): string[] =>
  before.uid !== uid
    ? []
    : before.ips.filter((ip) => !ips.includes(ip)).map((ip) => `${key}: ${ip}, then ${ips}`)

/** At quiet: each shown address is recorded for exactly who shows it, no port twice. */
export async function wrongsAtRest(cluster: Cluster): Promise<string[]> {
  const all = (await verbs(cluster.admin, core('services')).list()).items
  const ours = all.filter(({ spec }) => spec?.['loadBalancerClass'] === undefined)
  const services = ours.map(readService)
  const records = (await cluster.addresses.list()).items
  const wrongs: string[] = []
  services.forEach((one, at) => {
    for (const other of services.slice(0, at)) {
      wrongs.push(...clashes(one, other))
      const isShared = one.ips.some((ip) => other.ips.includes(ip))
      const twice = one.terms.ports.filter((port) => other.terms.ports.includes(port))
      if (isShared && twice.length > 0) wrongs.push(`${twice}: ${one.key} and ${other.key}`)
    }
  })
  const told = services.flatMap(({ key, ips }) => ips.map((ip) => `${ip} ${key}`)).sort()
  const recorded = records
    .flatMap((record) =>
      holdersOf(record).map(
        ({ namespace, name }) => `${record.spec?.['address']} ${namespace}/${name}`,
      ),
    )
    .sort()
  wrongs.push(...told.filter((one) => !recorded.includes(one)).map((one) => `shown: ${one}`))
  wrongs.push(...recorded.filter((one) => !told.includes(one)).map((one) => `recorded: ${one}`))
  return wrongs
}
