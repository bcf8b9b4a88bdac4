// Which pods are held up (R12.16)? Those that need an address of us, and no others.
import { expect, onTestFinished, test } from 'vitest'
import { clientTo, clientToNobody } from '../../../test/build/apiClient.ts'
import { ApiStand } from '../../../test/build/apiStand.ts'
import { newClock } from '../../../test/build/manualClock.ts'
import { shipped } from '../../../test/build/writesStand.ts'
import { World } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { StickyPods } from './stickyPods.ts'

const openstack = 'network.openstack.org/v1beta1'
const key = 'k8s.v1.cni.cncf.io/networks'

const podOf = (name: string, networks: string) => ({
  metadata: {
    name,
    annotations: networks === '' ? {} : { [key]: networks },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'ovn', uid: 'u-set', controller: true },
    ],
  },
})

/** A namespace whose pods keep their addresses. */
const inNamespace = (namespace: string) => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'berth.dev/sticky-pods': 'true' } },
  },
  {
    apiVersion: openstack,
    kind: 'NetConfig',
    metadata: {
      name: 'netconfig',
      namespace,
      annotations: { 'berth.dev/sticky': 'InternalApi=172.17.0.60-172.17.0.69' },
    },
    spec: {
      networks: [{ name: 'InternalApi', subnets: [{ name: 'subnet1', cidr: '172.17.0.0/24' }] }],
    },
  },
  {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: 'internalapi', namespace },
    spec: {
      config: JSON.stringify({
        type: 'macvlan',
        capabilities: { ips: true },
        ipam: { type: 'static' },
      }),
    },
  },
]

function stand(api: Api, isIn = true) {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  for (const json of ['red', 'blue'].flatMap(inNamespace)) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  const clock = newClock()
  const pods = new StickyPods({ api, world, clock, mayAsk: () => true, isIn: () => isIn })
  const complete = (namespace: string, object: ReturnType<typeof podOf>) =>
    pods.complete({ namespace, object, isDryRun: false, isVouchedFor: true })
  return { complete, clock }
}

test('[R12.16] before all is read, only a pod that needs an address is refused', async () => {
  const { complete } = stand(clientToNobody(), false)
  const untouched = { ok: true, annotations: {}, warnings: [] }
  const filled = JSON.stringify([{ name: 'internalapi', ips: ['172.17.0.60/24'] }])
  expect(await complete('red', podOf('ovn-0', ''))).toEqual(untouched)
  expect(await complete('red', podOf('ovn-0', filled))).toEqual(untouched)
  expect(await complete('red', podOf('ovn-0', 'internalapi'))).toEqual({
    ok: false,
    why: 'Berth has not read the cluster yet',
  })
})

test('[R12.16] many pods that wait in one namespace hold up none of another', async () => {
  const served = await ApiStand.start({ isWhole: true })
  onTestFinished(() => served.stop())
  const made = async (path: string, body: unknown) =>
    expect((await served.ask(path, { method: 'POST', body })).code).toBe(201)
  for (const name of ['red', 'blue']) await made('/api/v1/namespaces', { metadata: { name } })
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const json of shipped('openstack/crds')) await made(definitions, json)
  const { complete, clock } = stand(clientTo(served.api.port))
  const asked = (namespace: string) =>
    expect.poll(
      async () => {
        const { json } = await served.ask(`/apis/${openstack}/namespaces/${namespace}/ipsets`)
        return json.items.length
      },
      { timeout: 30_000 },
    )

  const many = Array.from({ length: 600 }, (_, at) =>
    complete('red', podOf(`ovn-${at}`, 'internalapi')),
  )
  const other = complete('blue', podOf('ovn-0', 'internalapi'))
  await asked('blue').toBe(1)
  // On a busy machine a connection may break: who asked is told so, and the StatefulSet tries again.
  await asked('red').toBeGreaterThan(450)
  clock.advance(3_000)
  const answers = await Promise.all([...many, other])
  expect(answers.every(({ ok }) => !ok)).toBe(true)
  const { json } = await served.ask(`/apis/${openstack}/namespaces/red/ipsets`)
  const there: number = json.items.length
  expect(there).toBeLessThanOrEqual(500)
  // Nobody waits any more, so the next is asked for again.
  const next = complete('red', podOf('ovn-600', 'internalapi'))
  await asked('red').toBe(there + 1)
  clock.advance(3_000)
  await next
})
