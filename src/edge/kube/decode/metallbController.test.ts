import { expect, test } from 'vitest'
import { Fields } from './fields.ts'
import { metallbController } from './metallbController.ts'

const byManifests = { app: 'metallb', component: 'controller' }
const byChart = {
  'app.kubernetes.io/name': 'metallb',
  'app.kubernetes.io/component': 'controller',
}

type Given = { name?: string; labels?: object; words?: object; status?: object }
const read = ({ name = 'controller', labels = byManifests, words = {}, status = {} }: Given) =>
  metallbController(
    new Fields(
      {
        metadata: { name, namespace: 'lb', labels },
        spec: { template: { spec: { containers: [{ image: 'metallb', ...words }] } } },
        status,
      },
      [],
    ),
  )

test.each<{ is: string; given: Given; found: boolean }>([
  { is: "the manifests' controller", given: {}, found: true },
  { is: "the chart's controller", given: { name: 'lb-controller', labels: byChart }, found: true },
  { is: 'named as by the chart', given: { name: 'metallb-controller', labels: {} }, found: true },
  {
    is: 'ours',
    given: { labels: { ...byChart, 'app.kubernetes.io/name': 'berth' } },
    found: false,
  },
  {
    is: "the operator's webhook server by label",
    given: { labels: { app: 'metallb', component: 'webhook-server' } },
    found: false,
  },
  {
    is: 'one that only checks objects',
    given: { words: { args: ['--port=9120', '--webhook-mode=onlywebhook'] } },
    found: false,
  },
  { is: 'no object at all', given: { labels: [], name: '' }, found: false },
])('a Deployment that is $is', ({ given, found }) => {
  expect(read(given) !== undefined).toBe(found)
})

test.each([
  { words: {}, of: '' },
  { words: { args: ['--lb-class=example.com/lb', '--port=9120'] }, of: 'example.com/lb' },
  { words: { args: ['-lb-class', 'example.com/lb'] }, of: 'example.com/lb' },
  { words: { args: ['--lb-class='] }, of: '' },
  { words: { command: ['/controller', '--lb-class=a'], args: ['--lb-class=b'] }, of: 'b' },
  { words: { args: ['--webhook-http2', '--lb-class=a'] }, of: 'a' },
])('[M2.2] with $words it serves the class "$of"', ({ words, of }) => {
  expect(read({ words })?.loadBalancerClass).toBe(of)
})

test.each([
  { status: {}, isUp: false },
  { status: { replicas: 1, unavailableReplicas: 1 }, isUp: false },
  { status: { replicas: 1, readyReplicas: 1 }, isUp: true },
  { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 }, isUp: true },
  { status: { replicas: 0, readyReplicas: 0, availableReplicas: 0 }, isUp: false },
])('with status $status it is up: $isUp', ({ status, isUp }) => {
  expect(read({ status })?.isUp).toBe(isUp)
})
