// What becomes of Pods and Deployments, as recorded from kube-apiserver 1.36.3.
import { expect, test } from 'vitest'
import { definition } from '../../kinds/definitions.ts'
import { readBuiltIn } from '../readBuiltIn.ts'
import { deployment, pod } from './pods.ts'

type Json = Readonly<Record<string, unknown>>

const podWith = (spec: Json, container: Json = {}): Json => ({
  metadata: { name: 'p', namespace: 'shop' },
  spec: { containers: [{ name: 'c', image: 'i:1', ...container }], ...spec },
})

/** As it would be kept. */
function made(json: Json): Json {
  const read = readBuiltIn(definition('io.k8s.api.core.v1.Pod'), json)
  if (!read.ok) throw new Error(read.why)
  return pod.prepared(pod.defaulted(read.json), undefined)
}

test.each([
  [{}, 'BestEffort'],
  [{ requests: { cpu: '0' } }, 'BestEffort'],
  [{ requests: { 'ephemeral-storage': '1Gi' } }, 'BestEffort'],
  [{ requests: { cpu: 1, memory: 1000 } }, 'Burstable'],
  [{ limits: { cpu: '1000m' } }, 'Burstable'],
  [{ limits: { cpu: '0.5', memory: '0.5Gi' } }, 'Guaranteed'],
  [
    { limits: { cpu: '1000m', memory: '1Mi' }, requests: { cpu: '1', memory: '1024Ki' } },
    'Guaranteed',
  ],
])('of a pod that asks for %j a node would say %s', (resources, qosClass) => {
  expect(made(podWith({}, { resources }))['status']).toEqual({ phase: 'Pending', qosClass })
})

test('a limit is also the request, as in Kubernetes', () => {
  const { spec } = made(podWith({}, { resources: { limits: { cpu: '1000m', memory: '0.5Gi' } } }))
  const amounts = { cpu: '1', memory: '512Mi' }
  expect(spec).toMatchObject({
    containers: [{ resources: { limits: amounts, requests: amounts } }],
  })
})

test('an account has two names', () => {
  const both = { serviceAccount: 'me', serviceAccountName: 'me' }
  for (const name of ['serviceAccount', 'serviceAccountName']) {
    expect(made(podWith({ [name]: 'me' }))['spec']).toMatchObject(both)
  }
  expect(made(podWith({}))['spec']).not.toHaveProperty('serviceAccount')
})

const usual = { tolerations: [{ key: 'a' }], initContainers: [{ name: 'd', image: 'i' }] }
test.each([
  ['its image', {}, { image: 'j:2' }, []],
  ['a deadline', { activeDeadlineSeconds: 5 }, {}, []],
  ['one more toleration', { tolerations: [{ key: 'b' }, { key: 'a' }] }, {}, []],
  ['how long it is tolerated', { tolerations: [{ key: 'a', tolerationSeconds: 5 }] }, {}, []],
  ['one toleration less', { tolerations: [] }, {}, ['spec.tolerations']],
  ['one container less', { initContainers: [] }, {}, ['spec.initContainers']],
  ['its node', { nodeName: 'n' }, {}, ['spec']],
  ['a command', {}, { command: ['x'] }, ['spec']],
])('of a pod that is there %s changes', (_, spec, container, refused) => {
  const after = podWith({ ...usual, ...spec }, container)
  const metadata = { name: 'p', namespace: 'shop', resourceVersion: '1' }
  const errors = pod.checked({ ...made(after), metadata }, { ...made(podWith(usual)), metadata })
  expect(errors.map(({ path }) => path)).toEqual(refused)
})

test('a deployment counts from nothing on', () => {
  const labels = { app: 'x' }
  const template = { metadata: { labels }, spec: podWith({})['spec'] }
  const spec = { selector: { matchLabels: labels }, template, replicas: -1, minReadySeconds: -1 }
  const object = { metadata: { name: 'd', namespace: 'shop' }, spec }
  expect(deployment.checked(deployment.defaulted(object), undefined)).toEqual([
    {
      path: 'spec.replicas',
      message: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      path: 'spec.minReadySeconds',
      message: 'Invalid value: -1: must be greater than or equal to 0',
    },
  ])
})
