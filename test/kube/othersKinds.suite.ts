// What becomes of tenants when kinds of other projects come, change their version or go, and when two
// tenants that clash are written at once?
import { expect, test } from 'vitest'
import { isRecord, recordAt, textAt } from '../../src/core/model/json.ts'
import { merge, verbs } from './cluster.ts'
import { cluster, namespace, onCluster, running, services } from './controllerCase.ts'
import { addressOf, asking, shownBy } from './controllers.ts'
import { definitions, forgetCrd } from './crds.ts'
import { defineAttachments } from './stickyStand.ts'
import { until } from './waits.ts'

const crd = 'network-attachment-definitions.k8s.cni.cncf.io'
const network = (second: number, more: object = {}): object => ({
  name: 'api',
  cidrs: [`172.${second}.0.0/24`],
  loadBalancer: [`172.${second}.0.80-172.${second}.0.89`],
  ...more,
})
const tenant = (name: string, one: object, more: object = {}): object => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name },
  spec: { namespaces: { names: [name] }, networks: [one], ...more },
})

type Seen = { readonly ready: string; readonly objects: readonly string[] }

/** By kind, and whether it is Ready. */
async function seenOf(name: string): Promise<Seen> {
  const { status } = await cluster.tenants.get(name)
  const { objects, conditions } = recordAt({ status }, 'status')
  const listed = Array.isArray(objects) ? objects.filter(isRecord) : []
  const all = Array.isArray(conditions) ? conditions.filter(isRecord) : []
  return {
    ready: textAt(
      all.find(({ type }) => type === 'Ready'),
      'status',
    ),
    objects: listed.map((one) => `${textAt(one, 'kind')} ${textAt(one, 'state')}`).sort(),
  }
}
const shows = (name: string, wanted: Seen) =>
  until(`${name} shows ${JSON.stringify(wanted)}`, async () => {
    const seen = await seenOf(name)
    return JSON.stringify(seen) === JSON.stringify(wanted) || undefined
  })

onCluster('kinds of other projects', () => {
  test('[R4.25] attachments come with their kind, wait without it, and nothing else waits', async () => {
    const attachments = ['172.41.0.30-172.41.0.40']
    const generate = ['Pools', 'Attachments']
    const one = network(41, { attachments, interface: 'eno1' })
    await cluster.tenants.create(tenant(namespace, one, { generate }))
    const pools = ['IPAddressPool Made', 'L2Advertisement Made']
    const without = { ready: 'False', objects: [...pools, 'NetworkAttachmentDefinition NotServed'] }
    const withAll = { ready: 'True', objects: [...pools, 'NetworkAttachmentDefinition Made'] }
    await shows(namespace, without)
    await services.create(asking('web', 'api'))
    const address = await addressOf(services, 'web')

    await defineAttachments(cluster)
    await shows(namespace, withAll)
    const made = verbs(cluster.admin, {
      ...{ group: 'k8s.cni.cncf.io', version: 'v1', plural: 'network-attachment-definitions' },
      namespace,
    })
    expect((await made.get('api')).metadata.labels).toMatchObject({ 'berth.dev/tenant': namespace })

    // It is served in another version only, and then as before.
    const crds = verbs(cluster.admin, definitions)
    const [version] = ((await crds.get(crd)).spec?.['versions'] ?? []) as Record<string, unknown>[]
    const versions = (isServed: boolean) => [
      { ...version, served: isServed },
      { ...version, name: 'v2', storage: false },
    ]
    await crds.patch(crd, { type: merge, body: { spec: { versions: versions(false) } } })
    await shows(namespace, without)
    await crds.patch(crd, { type: merge, body: { spec: { versions: versions(true) } } })
    await shows(namespace, withAll)

    await forgetCrd(cluster.admin, crd)
    await shows(namespace, without)
    expect(shownBy(await services.get('web'))).toEqual([address])
    await running.quiet()
    await services.remove('web')
  })

  test('[R4.22] of two that clash and are written at once one counts, and then the other', async () => {
    const names = [`${namespace}-a`, `${namespace}-b`]
    await Promise.all(
      names.map((name) => cluster.tenants.create(tenant(name, network(42))).catch(() => undefined)),
    )
    const made = async () =>
      (await cluster.pools.list()).items
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith(`${namespace}-`))
    const first = await until('one of them has its pool', async () => (await made())[0])
    await running.quiet()
    expect(await made()).toEqual([first])
    const [winner = '', loser = ''] = [...names].sort((one) => (`${one}-api` === first ? -1 : 1))
    await until('the problem is told of the other', async () => {
      const state = await cluster.states.get('controller').catch(() => undefined)
      return JSON.stringify(state?.status ?? {}).includes(loser) || undefined
    })
    await cluster.tenants.remove(winner)
    // Where no garbage collector runs.
    await cluster.pools.remove(first).catch(() => undefined)
    await until('the other has its pool', async () =>
      (await made()).includes(`${loser}-api`) ? true : undefined,
    )
    await cluster.tenants.remove(loser)
  })
})
