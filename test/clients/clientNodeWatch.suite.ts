// @kubernetes/client-node watching our API: its Watch, and its informers.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { clientOf, library, newNamespace } from './clientNode.ts'
import { isKubernetes } from './server.ts'

const client = library && clientOf(inject('kubeconfig'))
if (client === undefined) describe.skip('client-node watches')
else suite(client)

type Told = readonly [type: string, name: string]

function suite({ library: k8s, config, core, as }: ReturnType<typeof clientOf>): void {
  let namespace = ''
  let path = ''
  beforeEach(async () => {
    namespace = await newNamespace(core)
    path = `/api/v1/namespaces/${namespace}/configmaps`
  })
  const create = (name: string, labels: object = {}) =>
    core.createNamespacedConfigMap({ namespace, body: { metadata: { name, labels } } })
  const change = (name: string, body: object) =>
    core.patchNamespacedConfigMap({ namespace, name, body }, as('MergePatch'))
  const remove = (name: string) => core.deleteNamespacedConfigMap({ namespace, name })
  const list = (labelSelector?: string) =>
    core.listNamespacedConfigMap({ namespace, labelSelector })

  /** Everything that comes until the server ends it, with how it ended. */
  function watched(query: Readonly<Record<string, unknown>>) {
    const told: Told[] = []
    const ended = new Promise<unknown>((resolve, reject) => {
      new k8s.Watch(config)
        .watch(path, query, (type, { metadata }) => told.push([type, metadata.name]), resolve)
        .catch(reject)
    })
    return { told, ended }
  }

  describe('client-node watches', () => {
    test('from a list on: every change once, until its time is over', async () => {
      const { metadata } = await list()
      const { told, ended } = watched({
        resourceVersion: metadata.resourceVersion,
        timeoutSeconds: 4,
      })
      await create('a')
      await change('a', { data: { k: 'v' } })
      await remove('a')
      expect(await ended).toBe(null)
      const types = ['ADDED', 'MODIFIED', 'DELETED']
      expect(told).toEqual(types.map((type) => [type, 'a']))
    })

    test('from what is there on, as far as it is selected', async () => {
      await create('a', { tier: 'front' })
      await create('b')
      const { told, ended } = watched({ labelSelector: 'tier=front', timeoutSeconds: 4 })
      await until('the first', () => told[0])
      await change('a', { metadata: { labels: { tier: null } } })
      await ended
      expect(told).toEqual([
        ['ADDED', 'a'],
        ['DELETED', 'a'],
      ])
    })

    test('with bookmarks, whose moment can be gone on from', async () => {
      await create('a')
      const sendInitialEvents = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
      const seen: string[] = []
      const query = { ...sendInitialEvents, allowWatchBookmarks: true, timeoutSeconds: 1 }
      await new Promise((resolve, reject) => {
        const tell = (type: string, { metadata }: { metadata: { resourceVersion: string } }) => {
          if (type === 'BOOKMARK') seen.push(metadata.resourceVersion)
        }
        new k8s.Watch(config).watch(path, query, tell, resolve).catch(reject)
      })
      await create('b')
      const { told, ended } = watched({ resourceVersion: seen[0], timeoutSeconds: 1 })
      await ended
      expect(told).toEqual([['ADDED', 'b']])
    })

    test('and tells why it cannot', async () => {
      path = '/api/v1/namespaces/default/nothings'
      const { ended } = watched({})
      expect(await ended).toMatchObject({ statusCode: 404 })
    })
  })

  describe('client-node informs', () => {
    function informed(labelSelector?: string) {
      const told: Told[] = []
      const informer = k8s.makeInformer(config, path, () => list(labelSelector), labelSelector)
      for (const verb of ['add', 'update', 'delete']) {
        informer.on(verb, ({ metadata }) => told.push([verb, metadata.name]))
      }
      onTestFinished(() => informer.stop())
      return { informer, told }
    }

    test('of what is there, then of every change once', async () => {
      await create('before')
      const { informer, told } = informed()
      await informer.start()
      await create('a')
      await change('a', { data: { k: 'v' } })
      await until('the change', () => (told.length === 3 ? true : undefined))
      expect(informer.get('a', namespace)?.data).toEqual({ k: 'v' })
      await remove('before')
      await until('the removal', () => (told.length === 4 ? true : undefined))
      expect(told).toEqual([
        ['add', 'before'],
        ['add', 'a'],
        ['update', 'a'],
        ['delete', 'before'],
      ])
      expect(informer.list(namespace)).toHaveLength(1)
    })

    test.skipIf(isKubernetes)('of the address that Berth gives a Service', async () => {
      const objects = k8s.KubernetesObjectApi.makeApiClient(config)
      const pool = {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'IPAddressPool',
        metadata: { name: 'client-node', namespace: 'metallb-system' },
        spec: { addresses: ['192.0.2.77/32'], serviceAllocation: { namespaces: [namespace] } },
      }
      await objects.create(pool)
      onTestFinished(async () => {
        await objects.delete(pool)
      })
      const services = `/api/v1/namespaces/${namespace}/services`
      const listed = () => core.listNamespacedService({ namespace })
      const informer = k8s.makeInformer(config, services, listed)
      onTestFinished(() => informer.stop())
      await informer.start()
      const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] }
      await core.createNamespacedService({ namespace, body: { metadata: { name: 'web' }, spec } })
      const status = () => JSON.stringify(informer.get('web', namespace)?.status)
      await until('the address', () => status()?.includes('"ip":"192.0.2.77"') || undefined)
    })

    test('of what its labels select', async () => {
      const { informer, told } = informed('tier=front')
      await informer.start()
      await create('a')
      await create('b', { tier: 'front' })
      await until('the one', () => told[0])
      await sleep(100)
      expect(told).toEqual([['add', 'b']])
    })
  })
}
