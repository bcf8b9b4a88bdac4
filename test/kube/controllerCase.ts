// What does a test of the controller start from? A cluster for the file with a controller on it,
// and for each test a namespace and a pool of that name.
import { afterAll, beforeAll, beforeEach, describe, inject } from 'vitest'
import { core, type KubeObject, verbs } from './cluster.ts'
import {
  type Cluster,
  holdersOf,
  pool,
  type Running,
  type RunOptions,
  runController,
  startCluster,
} from './controllers.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
/** Left out, not failed, where there is no Kubernetes to run on. */
export const onCluster = describe.skipIf(!isHere)

export let cluster: Cluster
export let running: Running
export let namespace = ''
export let services: ReturnType<typeof verbs>
let at = 0

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  running = runController(cluster.kube)
})
afterAll(async () => {
  await running?.stop()
  await cluster?.stop()
})
beforeEach(async () => {
  if (!isHere) return
  namespace = `case-${++at}`
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  await cluster.pools.create(pool(namespace, [`${ip(1)}-${ip(14)}`]))
  services = cluster.services(namespace)
})

/** An address of the test's own pool. */
export function ip(host: number): string {
  return `10.1.${at}.${host}`
}

/** What is done between the end of one controller and the start of the next. */
export async function restart(
  between: () => Promise<unknown> = async () => undefined,
  options: RunOptions = {},
): Promise<Running> {
  await running.quiet()
  await running.stop()
  await between()
  running = runController(cluster.kube, options)
  return running
}

export const addressGone = (name: string) =>
  until(`Address ${name} is gone`, async () => {
    return cluster.addresses.get(name).then(
      () => undefined,
      () => true as const,
    )
  })

export const addressHeld = (name: string, uid: string): Promise<KubeObject> =>
  until(`Address ${name} is held by ${uid}`, async () => {
    const record = await cluster.addresses.get(name).catch(() => undefined)
    const holders = record === undefined ? [] : holdersOf(record)
    return holders.some((one) => one.uid === uid) ? record : undefined
  })
