// Does `berth renumber` move a prefix on a running cluster, each Service once, and back?
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resourceOf } from '../../src/edge/kube/kinds.ts'
import { berth } from '../build/terminal.ts'
import { type KubeObject, verbs } from './cluster.ts'
import { cluster, ip, namespace, onCluster, services } from './controllerCase.ts'
import { asking, shownBy } from './controllers.ts'
import { kubeconfigFor } from './harness.ts'
import { until } from './waits.ts'

function kubeconfig(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-renumber-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'kubeconfig')
  writeFileSync(file, kubeconfigFor(cluster.kube, 'admin'))
  return file
}
const renumber = (from: string, to: string, ...args: readonly string[]) =>
  berth(['renumber', from, to, '--kubeconfig', kubeconfig(), ...args])

const all = async (): Promise<readonly KubeObject[]> => (await services.list()).items
const addressesNow = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await all()).map((one) => [one.metadata.name, shownBy(one).join(',')]))
const served = (count: number) =>
  until('all of them have an address', async () => {
    const now = await addressesNow()
    return Object.values(now).filter((shown) => shown !== '').length === count ? now : undefined
  })

/** Every address that a Service showed while something ran, one after another. */
async function historiesOf(work: () => Promise<void>): Promise<Record<string, string[]>> {
  const histories: Record<string, string[]> = {}
  const look = async (): Promise<void> => {
    for (const [name, shown] of Object.entries(await addressesNow())) {
      const history = histories[name] ?? []
      if (history.at(-1) !== shown) histories[name] = [...history, shown]
    }
  }
  await look()
  let isOver = false
  const watching = (async () => {
    while (!isOver) await look()
  })()
  await work().finally(() => {
    isOver = true
  })
  await watching
  await look()
  return histories
}

const moved = (before: Record<string, string>, from: string, to: string) =>
  Object.fromEntries(
    Object.entries(before).map(([name, shown]) => [name, [shown, shown.replace(from, to)]]),
  )

onCluster('berth renumber', () => {
  test('[R15.1] pools and pins move and come back, each Service once', async () => {
    const key = { 'metallb.io/allow-shared-ip': 'key' }
    const pin = (address: string) => ({ 'metallb.io/loadBalancerIPs': address })
    const spec = { ports: [{ port: 81 }] }
    await services.create(asking('free', namespace))
    await services.create(asking('pinned', namespace, { annotations: pin(ip(9)) }))
    await services.create(asking('one', namespace, { annotations: { ...key, ...pin(ip(7)) } }))
    await services.create(
      asking('two', namespace, { annotations: { ...key, ...pin(ip(7)) }, spec }),
    )
    const before = await served(4)
    const [from, to] = [ip(0).replace(/\.0$/, ''), ip(0).replace(/^10\.1\.(\d+)\.0$/, '10.77.$1')]
    const plan = await renumber(`${from}.0/24`, `${to}.0/24`)
    expect(plan, plan.err).toMatchObject({ exit: 2 })
    expect(await addressesNow()).toEqual(before)
    const there = await historiesOf(async () => {
      const done = await renumber(`${from}.0/24`, `${to}.0/24`, '--apply')
      expect(done.exit, done.err).toBe(0)
    })
    expect(there).toEqual(moved(before, from, to))
    expect((await cluster.pools.get(namespace)).spec).toMatchObject({
      addresses: [`${to}.1-${to}.14`],
    })
    const annotations = (await services.get('free')).metadata.annotations ?? {}
    expect(annotations['metallb.io/loadBalancerIPs']).toBeUndefined()
    const back = await historiesOf(async () => {
      const done = await renumber(`${to}.0/24`, `${from}.0/24`, '--apply')
      expect(done.exit, done.err).toBe(0)
    })
    expect(Object.values(back).map((history) => history.length)).toEqual([2, 2, 2, 2])
    expect(await addressesNow()).toEqual(before)
  })

  test('[R15.2] a Tenant moves, and its Services with it, each once', async () => {
    const tenants = verbs(cluster.admin, resourceOf('Tenant'))
    const network = {
      ...{ name: 'internalapi', cidrs: ['172.17.9.0/24'], gateway: '172.17.9.1' },
      loadBalancer: ['172.17.9.80-172.17.9.90'],
    }
    await tenants.create({
      ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: namespace } },
      spec: { namespaces: { names: [namespace] }, networks: [network] },
    })
    await services.create(asking('free', 'internalapi'))
    const pinned = { 'metallb.universe.tf/loadBalancerIPs': '172.17.9.85' }
    await services.create(asking('pinned', 'internalapi', { annotations: pinned }))
    const before = await served(2)
    const histories = await historiesOf(async () => {
      const done = await renumber('172.17.9.0/24', '172.27.9.0/24', '--apply')
      expect(done.exit, done.err).toBe(0)
    })
    expect(histories).toEqual(moved(before, '172.17.9', '172.27.9'))
    expect((await tenants.get(namespace)).spec).toMatchObject({
      networks: [{ cidrs: ['172.27.9.0/24'], gateway: '172.27.9.1' }],
    })
    expect((await services.get('pinned')).metadata.annotations).toMatchObject({
      'metallb.universe.tf/loadBalancerIPs': '172.27.9.85',
    })
  })
})
