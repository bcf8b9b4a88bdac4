import { expect, test } from 'vitest'
import { Fields } from './fields.ts'
import { metallbController } from './metallbController.ts'

const byManifests = { app: 'metallb', component: 'controller' }
const byChart = {
  'app.kubernetes.io/name': 'metallb',
  'app.kubernetes.io/component': 'controller',
}

type Given = { name?: string; labels?: object; words?: object; scale?: object; status?: object }
function read(given: Given) {
  const { name = 'controller', labels = byManifests, words = {}, scale = {}, status = {} } = given
  const containers = [{ image: 'metallb', ...words }]
  return metallbController(
    new Fields(
      {
        metadata: { name, namespace: 'lb', labels },
        spec: { ...scale, template: { spec: { containers } } },
        status,
      },
      [],
    ),
  )
}

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
    is: 'one that only validates objects',
    given: { words: { args: ['--port=9120', '--webhook-mode=onlywebhook'] } },
    found: false,
  },
  { is: 'not an object', given: { labels: [], name: '' }, found: false },
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
  { scale: {}, status: {}, isUp: true },
  { scale: { replicas: 1 }, status: {}, isUp: true },
  // Not ready yet, or killed a moment ago.
  { scale: { replicas: 1 }, status: { replicas: 1, unavailableReplicas: 1 }, isUp: true },
  { scale: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 }, isUp: true },
  { scale: { replicas: 0 }, status: { replicas: 1, readyReplicas: 1 }, isUp: true },
  { scale: { replicas: 0 }, status: { replicas: 0, terminatingReplicas: 1 }, isUp: true },
  { scale: { replicas: 0 }, status: { replicas: 0, terminatingReplicas: 0 }, isUp: false },
  { scale: { replicas: 0 }, status: {}, isUp: false },
])('scaled to $scale with status $status it is up: $isUp', ({ scale, status, isUp }) => {
  expect(read({ scale, status })?.isUp).toBe(isUp)
})
