import { expect, test } from 'vitest'
import { folderOf, nowhere } from '../../../../../test/build/terminal.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { load, newSession } from '../../load.ts'
import { speakersIn } from '../metallb.ts'
import { heldSpeaker, isHeld, isOutdated, restoredPod, restoredStrategy } from './heldSpeakers.ts'
import { nodesFrom } from './nodeProgress.ts'
import { removalCommands } from './removal.ts'
import { movesOf } from './stepsBack.ts'

const daemonSet = (affinity?: object) => ({
  metadata: { name: 'speaker', namespace: 'lb', labels: { app: 'metallb', component: 'speaker' } },
  spec: {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    template: {
      spec: {
        ...(affinity === undefined ? {} : { affinity }),
        containers: [
          {
            name: 'speaker',
            args: ['--port=9120'],
            env: [
              { name: 'METALLB_ML_LABELS', value: 'app=metallb' },
              { name: 'OTHER', value: 'x' },
            ],
          },
        ],
      },
    },
  },
})
const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const withTerms = {
  nodeAffinity: {
    [required]: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] },
      ],
    },
  },
}

test.each([
  { what: 'without an affinity', affinity: undefined, terms: 1 },
  { what: 'with two terms', affinity: withTerms, terms: 2 },
])("[R14.1] MetalLB's DaemonSet $what avoids nodes, and is as before afterwards", (given) => {
  const before = daemonSet(given.affinity)
  const held = new Fields(heldSpeaker(before, true), [])
  const pod = held.inner('spec').inner('template').inner('spec')
  const terms = pod
    .inner('affinity')
    .inner('nodeAffinity')
    .inner(required)
    .each('nodeSelectorTerms')
  expect(terms).toHaveLength(given.terms)
  for (const term of terms) {
    expect(term.json['matchExpressions']).toContainEqual({
      key: 'berth.dev/announcer',
      operator: 'NotIn',
      values: ['berth'],
    })
  }
  expect(held.json['spec']).toMatchObject({ updateStrategy: { type: 'OnDelete' } })
  expect(JSON.stringify(pod.json)).not.toContain('METALLB_ML_LABELS')
  expect(speakersIn([held.json]).every(isHeld)).toBe(true)
  // Whoever comes next changes nothing, and does not note what is there now as what was before.
  expect(heldSpeaker(held.json, true)).toBeUndefined()
  const restored = restoredStrategy(restoredPod(held.json) ?? {})
  expect(restored).toEqual({ ...before, metadata: { ...before.metadata, annotations: {} } })
  expect(restoredPod(before)).toBeUndefined()
})

const again = (json: unknown, change: (one: ReturnType<typeof daemonSet>) => void) => {
  const copy = structuredClone(json) as ReturnType<typeof daemonSet>
  change(copy)
  return copy
}
test.each([
  {
    what: 'turns memberlist on',
    change: (one: ReturnType<typeof daemonSet>) => {
      const [container] = one.spec.template.spec.containers
      container?.env.push({ name: 'METALLB_ML_LABELS', value: 'app=other' })
    },
    restored: 'app=other',
  },
  {
    what: 'takes the affinity away',
    change: (one: { spec: { template: { spec: { affinity?: object } } } }) => {
      delete one.spec.template.spec.affinity
    },
    restored: 'app=metallb',
  },
  {
    what: 'lets all pods restart',
    change: (one: ReturnType<typeof daemonSet>) => {
      one.spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 7 } }
    },
    restored: '"maxUnavailable":7',
  },
])(
  '[R14.1] a DaemonSet that somebody $what is held again, and gets back what he wrote',
  (given) => {
    const held = heldSpeaker(daemonSet(), true)
    const applied = again(held, given.change)
    const [speaker] = speakersIn([applied])
    if (speaker === undefined) throw new Error('no speaker')
    const anew = heldSpeaker(applied, true)
    expect(anew).toMatchObject({ spec: { updateStrategy: { type: 'OnDelete' } } })
    expect(JSON.stringify((anew as { spec: unknown }).spec)).not.toContain('METALLB_ML_LABELS')
    expect(speakersIn([anew]).every(isHeld)).toBe(true)
    expect(heldSpeaker(anew ?? {}, true)).toBeUndefined()
    const restored = restoredStrategy(restoredPod(anew ?? {}) ?? {})
    expect(JSON.stringify(restored?.['spec'])).toContain(given.restored)
    expect(JSON.stringify(restored)).not.toContain('berth.dev')
  },
)

test('[R14.1] what somebody writes before the way back is left as he wrote it', () => {
  const held = heldSpeaker(daemonSet(), true)
  const applied = again(held, (one) => {
    const [container] = one.spec.template.spec.containers
    container?.env.push({ name: 'METALLB_ML_LABELS', value: 'app=other' })
  })
  expect(JSON.stringify(restoredPod(applied)?.['spec'])).toContain('app=other')
})

test('a pod from before memberlist was turned off is replaced', () => {
  const [now] = speakersIn([heldSpeaker(daemonSet(), true)])
  if (now === undefined) throw new Error('no speaker')
  const { template } = daemonSet().spec
  expect(isOutdated(new Fields(template, []), now)).toBe(true)
  const { object } = now
  expect(isOutdated(object.inner('spec').inner('template'), now)).toBe(false)
})

const node = (labels: object, annotations: object = {}) =>
  new Fields({ metadata: { name: 'a', labels, annotations } }, [])
const pod = (labels: object, status: object = {}) =>
  new Fields({ metadata: { name: 'p', labels }, spec: { nodeName: 'a' }, status }, [])
const exclude = 'node.kubernetes.io/exclude-from-external-load-balancers'
const ready = { conditions: [{ type: 'Ready', status: 'True' }] }

test.each([
  { is: 'untouched', object: node({}), shown: { isBerths: false, drained: 'no' } },
  {
    is: 'drained by us',
    object: node({ [exclude]: 'berth-drain' }),
    shown: { drained: 'by-berth' },
  },
  { is: 'excluded', object: node({ [exclude]: '' }), shown: { drained: 'by-others' } },
  { is: 'ours', object: node({ 'berth.dev/announcer': 'berth' }), shown: { isBerths: true } },
  {
    is: 'under way',
    object: node({}, { 'berth.dev/migrating': 'undrain' }),
    shown: { isUnderWay: true },
  },
])('[R14.1] a node that is $is', ({ object, shown }) => {
  expect(nodesFrom([object], [])).toMatchObject([shown])
})

test('of the pods on a node each speaker is told by its labels', () => {
  const metallb = pod({ app: 'metallb', component: 'speaker' }, ready)
  const berth = pod({
    'app.kubernetes.io/name': 'berth',
    'app.kubernetes.io/component': 'speaker',
  })
  const other = pod({ app: 'metallb', component: 'controller' }, ready)
  expect(nodesFrom([node({})], [other])).toMatchObject([{ metallb: undefined, berth: undefined }])
  expect(nodesFrom([node({})], [metallb, berth, other])).toMatchObject([
    { metallb: { isReady: true }, berth: { isReady: false } },
  ])
})

test('[R14.3] what is removed is named on one line for each namespace', () => {
  expect(
    removalCommands([
      { kind: 'DaemonSet', name: 'speaker', namespace: 'lb' },
      { kind: 'ClusterRole', name: 'lb:speaker' },
      { kind: 'Secret', name: 'memberlist', namespace: 'lb' },
    ]),
  ).toEqual([
    'kubectl delete clusterrole/lb:speaker',
    'kubectl -n lb delete daemonset/speaker secret/memberlist',
  ])
})

const dual = (name: string, ips: readonly string[]) => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, annotations: {metallb.io/ip-allocated-from-pool: both}}
spec:
  type: LoadBalancer
  ipFamilyPolicy: PreferDualStack
  clusterIPs: [10.96.0.${name.length}, "fd00::${name.length}"]
  ipFamilies: [IPv4, IPv6]
  ports: [{port: 80}]
status: {loadBalancer: {ingress: [${ips.map((ip) => `{ip: "${ip}"}`).join(', ')}]}}
`
const both = (six: string) => `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: both, namespace: metallb-system}
spec: {addresses: [10.0.0.0/28, "${six}"]}
`
test.each([
  { what: 'none is free', six: 'fd01::1/128', found: 1 },
  { what: 'one is free', six: 'fd01::/127', found: 0 },
])('what MetalLB would move on its start, if $what', async ({ six, found }) => {
  const session = await newSession(nowhere)
  const yaml = both(six) + dual('a', ['10.0.0.1', 'fd01::1']) + dual('bb', ['10.0.0.2'])
  await load(session, { files: [folderOf({ 'a.yaml': yaml })], kustomized: [] })
  const moves = movesOf(session.cluster.world)
  expect(moves).toHaveLength(found)
  for (const text of moves) expect(text).toContain('1 Service with PreferDualStack (default/bb)')
})
