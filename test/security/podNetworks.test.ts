// Invented pods with ever more networks. The attacker can reach the webhook's port, and may write
// NetConfigs and attachments in a namespace whose pods keep their addresses. Afterwards: each question
// was answered without counting all networks for each entry, few were passed on to the API, and pods of
// a StatefulSet were served.
// Before: one question held up the event loop for seconds, invented pods used up the range, and a few at
// a time shut out all others.
import { expect, test } from 'vitest'
import { StickyPods } from '../../src/app/openstack/stickyPods.ts'
import { World } from '../../src/core/model/world.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { clientToNobody } from '../build/apiClient.ts'
import { newClock } from '../build/manualClock.ts'

const namespace = 'alpha'
const network = (at: number) => ({
  name: `net${at}`,
  subnets: [{ name: 's', cidr: `10.${at >> 8}.${at & 255}.0/24` }],
})
const attachment = (name: string) => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { name, namespace, uid: name },
  spec: {
    config: JSON.stringify({
      ...{ type: 'macvlan', capabilities: { ips: true }, ipam: { type: 'static' } },
    }),
  },
})
const objects = (networks: number) => [
  {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: namespace, labels: { 'berth.dev/sticky-pods': 'true' } },
  },
  {
    ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'NetConfig' },
    metadata: {
      ...{ name: 'netconfig', namespace, uid: 'c' },
      annotations: { 'berth.dev/sticky': 'net0=10.0.0.10-10.0.0.99' },
    },
    spec: { networks: Array.from({ length: networks }, (_, at) => network(at)) },
  },
  attachment('net0'),
  attachment('elsewhere'),
]

function asking(api: Api, networks: number) {
  const world = new World(settings)
  for (const json of objects(networks)) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  const pods = new StickyPods({
    ...{ api, world, clock: newClock(), mayAsk: () => true, isIn: () => true },
  })
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u' }
  return (name: string, networks: string) => {
    const annotations = { 'k8s.v1.cni.cncf.io/networks': networks }
    const ownerReferences = [{ ...owner, controller: true }]
    const object = { metadata: { name, annotations, ownerReferences } }
    return pods.complete({ namespace, object, isDryRun: false, isVouchedFor: false })
  }
}

test('[R12.15] a list of 80,000 networks is not looked at', async () => {
  const ask = asking(clientToNobody(), 10_000)
  for (const name of ['net0', 'elsewhere']) {
    const text = Array.from({ length: 80_000 }, () => name).join(',')
    for (const networks of [text, JSON.stringify(text.split(',').map((one) => ({ name: one })))]) {
      const answer = await ask('web-0', networks)
      const warnings = [expect.stringContaining('80000 entries')]
      expect(answer).toEqual({ ok: true, annotations: {}, warnings })
    }
  }
})

test('[R12.15] of a thousand pods at once a few are asked for', async () => {
  const ask = asking(clientToNobody(), 10)
  const all = Array.from({ length: 1000 }, (_, at) => ask(`web-${at}`, 'net0'))
  const answers = await Promise.all(all)
  const later = answers.filter((one) => !one.ok && one.why.includes('will try again'))
  expect(answers.every(({ ok }) => !ok)).toBe(true)
  expect(later).toHaveLength(1000 - 8 - 100)
})

test('[R12.16] a pod that its StatefulSet has is asked for behind others that are made up', async () => {
  const asked: string[] = []
  const api: Api = {
    ...clientToNobody(),
    async call({ method, path }) {
      asked.push(`${method} ${path}`)
      await new Promise((resolve) => setImmediate(resolve))
      if (method === 'GET') return { metadata: { uid: 'u' }, spec: { replicas: 1 } }
      throw new Error('enough')
    },
  }
  const ask = asking(api, 10)
  const madeUp = Array.from({ length: 60 }, (_, at) => ask(`web-${at + 1}`, 'net0'))
  const answer = await ask('web-0', 'net0').catch(String)
  expect(answer).not.toMatchObject({ ok: false, why: expect.stringContaining('tried again') })
  expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
  for (const one of await Promise.all(madeUp)) expect(one.ok).toBe(false)
})
