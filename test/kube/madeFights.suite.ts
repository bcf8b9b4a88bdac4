// Who has the last word on what is made from a tenant, when another program applies it too (R4.19)?
// kubectl as the other owner, by server-side apply, as GitOps controllers do.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { recordAt } from '../../src/core/model/json.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { resourceOf } from '../../src/edge/kube/kinds.ts'
import { type KubeObject, verbs } from './cluster.ts'
import { cluster, namespace, onCluster, running, services } from './controllerCase.ts'
import { addressOf, asking, ownNamespace, shownBy } from './controllers.ts'
import { kubeconfigFor } from './harness.ts'
import { defineAttachments } from './stickyStand.ts'
import { until } from './waits.ts'

type Said = { readonly exit: number; readonly err: string }

/** Applies it as a manager of its own. */
function applied(object: object, ...args: readonly string[]): Promise<Said> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-fights-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'kubeconfig')
  writeFileSync(file, kubeconfigFor(cluster.kube, 'admin'))
  const common = ['--kubeconfig', file, 'apply', '--server-side', '--field-manager=gitops']
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], HOME: folder }
    const child = execFile(
      inject('kubectl'),
      [...common, ...args, '-f', '-'],
      { env },
      (error, _, err) => resolve({ exit: error === null ? 0 : 1, err }),
    )
    child.stdin?.end(JSON.stringify(object))
  })
}

const tenant = (range: string, more: object = {}): object => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: namespace },
  spec: {
    namespaces: { names: [namespace] },
    networks: [{ name: 'api', cidrs: ['172.43.0.0/24'], loadBalancer: [range], ...more }],
    generate: ['Pools', 'Attachments'],
  },
})

/** Until it says again what we say, three times over; answers how it is then. */
async function fought(
  resource: Resource,
  theirs: { readonly apiVersion: string; readonly kind: string; readonly metadata: object },
  field: string,
): Promise<KubeObject> {
  const name = String(recordAt(theirs, 'metadata')['name'])
  const objects = verbs(cluster.admin, resource)
  const made = await until('it is made', () => objects.get(name).catch(() => undefined))
  const ours = made.spec?.[field]
  for (let round = 0; round < 3; round++) {
    const refused = await applied(theirs)
    expect(refused).toMatchObject({ exit: 1, err: expect.stringContaining('conflict with "berth') })
    expect(refused.err).toContain(`.spec.${field}`)
    const forced = await applied(theirs, '--force-conflicts')
    expect(forced.exit, forced.err).toBe(0)
    await until('it is put back', async () => {
      const now = (await objects.get(name)).spec?.[field]
      return JSON.stringify(now) === JSON.stringify(ours) || undefined
    })
  }
  await running.quiet()
  return objects.get(name)
}

onCluster('what is made from a tenant', () => {
  test('[R4.19] a pool that another owner applies by force is put back, and its fields stay', async () => {
    await cluster.tenants.create(tenant('172.43.0.80-172.43.0.89'))
    await services.create(asking('web', 'api'))
    const address = await addressOf(services, 'web')
    expect(address).toBe('172.43.0.80')
    const theirs = {
      apiVersion: 'metallb.io/v1beta1',
      kind: 'IPAddressPool',
      metadata: { name: `${namespace}-api`, namespace: ownNamespace, labels: { team: 'net' } },
      spec: { addresses: ['172.43.0.200-172.43.0.209'], avoidBuggyIPs: true },
    }
    const resource = { ...resourceOf('IPAddressPool'), namespace: ownNamespace }
    const after = await fought(resource, theirs, 'addresses')
    expect(after.spec).toMatchObject({
      addresses: ['172.43.0.80-172.43.0.89'],
      avoidBuggyIPs: true,
    })
    expect(after.metadata.labels).toMatchObject({ team: 'net', 'berth.dev/tenant': namespace })
    expect(shownBy(await services.get('web'))).toEqual([address])
    await services.remove('web')
    await cluster.tenants.remove(namespace)
  })

  test('[R4.19] an attachment too, which no webhook sees', async () => {
    await defineAttachments(cluster)
    const attachments = { attachments: ['172.43.0.30-172.43.0.40'], interface: 'eno1' }
    await cluster.tenants.create(tenant('172.43.0.80-172.43.0.89', attachments))
    const resource = { ...resourceOf('NetworkAttachmentDefinition'), namespace }
    const made = verbs(cluster.admin, resource)
    const before = await until('it is made', () => made.get('api').catch(() => undefined))
    const annotations = { 'k8s.v1.cni.cncf.io/resourceName': 'example.com/nic' }
    const theirs = {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'api', namespace, annotations },
      spec: { config: '{"cniVersion":"0.3.1","type":"macvlan","master":"eno1.30"}' },
    }
    const after = await fought(resource, theirs, 'config')
    expect(after.spec).toEqual(before.spec)
    expect(after.metadata.annotations).toMatchObject(annotations)
    expect(after.metadata.uid).toBe(before.metadata.uid)
    await cluster.tenants.remove(namespace)
  })
})
