// Does a pod have the routers of its node send it what is for others?
import { expect } from 'vitest'
import { core, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, berthKind, betaIsServed, gatewayIp, victimIp } from '../attempt.ts'
import { openstack } from '../hosts.ts'
import { prefixesIn, routerIp, routesOf, runPod, withRouters } from '../routes.ts'

const [kept, own] = ['198.51.100.100', '198.51.100.200']
/** What others have, and what is not of the tenant at all. */
const wanted = [victimIp, gatewayIp, kept, '198.51.100.18', routerIp, '10.96.0.1', '127.0.0.1']

/** The label of a pod is enough, where an administrator made a BGPConfiguration. */
export const othersRoutes: Attempt = {
  name: 'A pod is announced with the address of a Service, of a gateway, of a router, or a kept one',
  holds: "a tenant's account or token",
  mustHold: 'only a free address of its own tenant is announced for a pod',
  before: "its own network's gateway was announced from the node of the pod",
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const { admin } = stand
    const addresses = verbs(admin, berthKind('addresses'))
    await addresses.create({
      ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Address', metadata: { name: kept } },
      spec: { address: kept },
    })
    const pods = wanted.map((ip, at) => ({ name: `thief-${at}`, ip }))
    await withRouters(stand, async () => {
      for (const { name, ip } of pods) await runPod(stand, name, ip)
      await runPod(stand, 'honest', own)
      const routes = routesOf(admin)
      await until('the honest pod is announced', () =>
        routes.get('alpha-honest').catch(() => undefined),
      )
      const configurations = verbs(admin, openstack('bgpconfigurations', 'alpha'))
      await until('the others are left out', async () => {
        const { status } = await configurations.get('bgp')
        return JSON.stringify(status ?? {}).includes('thief-0: ') || undefined
      })
      const { items } = await routes.list()
      expect(items.flatMap(prefixesIn)).toEqual([`${own}/32`])
      for (const { name } of [...pods, { name: 'honest' }]) {
        await verbs(admin, core('pods', 'alpha')).remove(name)
      }
      await until('nothing is announced', async () =>
        (await routes.list()).items.flatMap(prefixesIn).length === 0 ? true : undefined,
      )
    })
    await addresses.remove(kept)
    await betaIsServed(stand)
  },
}
