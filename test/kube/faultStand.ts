// What does a test of faults start from? A namespace, a pool of that name, a witness who sees every
// version of every Service, and controllers that end with it.
import { core, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  type Cluster,
  pool,
  type Running,
  type RunOptions,
  runController,
} from './controllers.ts'
import type { KubeAddress } from './harness.ts'
import { type Witness, witness, wrongsAtRest } from './promiseOne.ts'
import { type Timeline, timeline } from './timeline.ts'

export type Stand = {
  readonly cluster: Cluster
  readonly namespace: string
  readonly services: ReturnType<typeof verbs>
  readonly seen: Witness
  readonly timeline: Timeline
  /** An address of the pool, which is a /24. */
  readonly ip: (host: number) => string
  /** A controller with a lease of its own, so that whoever had one before is taken for dead. */
  readonly run: (options?: RunOptions, through?: KubeAddress) => Running
  readonly create: (names: readonly string[]) => Promise<unknown>
  readonly addressesOf: (names: readonly string[]) => Promise<string[]>
  /** Ends with nothing left under way, and says what is wrong: in all that was, and at rest. */
  readonly end: () => Promise<string[]>
}

let leases = 0

/** Stands of one cluster differ in `at`, which is below 256. */
export async function newStand(cluster: Cluster, at: number): Promise<Stand> {
  const namespace = `fault-${at}`
  const running: Running[] = []
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  await cluster.pools.create(pool(namespace, [`10.3.${at}.0/24`]))
  const services = cluster.services(namespace)
  const seen = witness(cluster.admin)
  const history = timeline(cluster.admin)
  const run = (options: RunOptions = {}, through: KubeAddress = cluster.kube): Running => {
    const one = runController(through, { lease: `lease-${++leases}`, ...options })
    running.push(one)
    return one
  }
  return {
    cluster,
    namespace,
    services,
    seen,
    timeline: history,
    ip: (host) => `10.3.${at}.${host}`,
    run,
    create: (names) => Promise.all(names.map((name) => services.create(asking(name, namespace)))),
    addressesOf: (names) => Promise.all(names.map((name) => addressOf(services, name))),
    async end() {
      await Promise.all(running.map((one) => one.stop()))
      const last = run()
      await last.quiet()
      await last.stop()
      await seen.end()
      await history.end()
      const wrongs = [...seen.violations, ...(await wrongsAtRest(cluster))]
      for (const { metadata } of (await services.list()).items) await services.remove(metadata.name)
      return wrongs
    },
  }
}

export const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`)
