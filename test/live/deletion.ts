// Is a tenant kept while its Services hold addresses, in whichever way it is deleted (R4.20)?
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Target, Targets } from '../../src/app/cli/scenarios/target.ts'
import { core, loadBalancer, refusal, verbs } from '../kube/cluster.ts'
import { shownBy } from '../kube/controllers.ts'
import { until } from '../kube/waits.ts'

/** kubectl delete, with each --cascade, and what replace --force begins with. */
const ways = [
  {},
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Background', gracePeriodSeconds: 0 },
]

const tenants = { group: 'berth.dev', version: 'v1alpha1', plural: 'tenants' }
const networks = [{ name: 'edge', cidrs: ['172.27.0.0/24'], loadBalancer: ['172.27.0.80/29'] }]
const red = {
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: 'red' },
  spec: { namespaces: { names: ['red'] }, networks },
}

export async function tenantInUseStays(targets: Targets): Promise<void> {
  const target = await targets.get({ bgpMode: 'native', isSingleStack: false }, 0)
  if (target === undefined) throw new Error('no cluster')
  const { api } = target
  const [tenant, services] = [verbs(api, tenants), verbs(api, core('services', 'red'))]
  await verbs(api, core('namespaces')).create({ metadata: { name: 'red' } })
  await tenant.create(red)
  await services.create(loadBalancer('web'))
  const shown = async () => shownBy(await services.get('web'))
  await until('web has an address', async () => (await shown())[0])
  await quiet(target)
  for (const options of ways) {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
    expect(await refusal(tenant.remove('red', body))).toMatchObject({ code: 403 })
  }
  await refusal(tenant.removeAll())
  await quiet(target)
  expect(await shown()).toEqual(['172.27.0.80'])
  expect((await tenant.get('red')).metadata.deletionTimestamp).toBeUndefined()
}

async function quiet({ progress }: Target): Promise<void> {
  await until('the controller is quiet', async () => (await progress()).isQuiet || undefined)
  await sleep(100)
}
