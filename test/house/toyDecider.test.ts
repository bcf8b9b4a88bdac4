// Is a new kind one row, one decoder, one view and one decider? A toy that is all of them, and edits
// nothing else, runs in the simulator and in the controller on the embedded API.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Controller } from '../../src/app/controller/controller.ts'
import { Bug } from '../../src/core/model/bug.ts'
import type { Key } from '../../src/core/model/service.ts'
import type { Write } from '../../src/core/model/write.ts'
import { check, checkDelete } from '../../src/core/policy/check/check.ts'
import type { Decider, HolderDecider, KeptDecider } from '../../src/core/policy/decider.ts'
import { claimsAmong, coreDeciders } from '../../src/core/policy/deciders.ts'
import { services } from '../../src/core/policy/decideService.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { admission } from '../../src/edge/kube/admission.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { decoderOf } from '../../src/edge/kube/decode/decode.ts'
import { metaOf } from '../../src/edge/kube/decode/decodeMeta.ts'
import type { Fields } from '../../src/edge/kube/decode/fields.ts'
import { type KindRow, kinds } from '../../src/edge/kube/kinds.ts'
import { readCrd } from '../../src/edge/kube/schema/crd.ts'
import { shippedCrds } from '../build/shippedCrds.ts'
import { startEmbedded } from '../kube/embedded.ts'
import { connectionFor, type Kube } from '../kube/harness.ts'
import { until } from '../kube/waits.ts'

// One view.
type Toy = {
  readonly kind: 'Toy'
  readonly name: string
  readonly uid: string
  readonly pools: readonly string[]
}
declare module '../../src/core/model/view.ts' {
  interface Views {
    readonly Toy: Toy
  }
}

// One decoder.
function decodeToy(object: Fields): Toy {
  const { name, uid } = metaOf(object)
  return { kind: 'Toy', name, uid, pools: object.inner('spec').texts('pools') }
}

// One row.
const row: KindRow = {
  kind: 'Toy',
  group: 'toys.example',
  version: 'v1',
  plural: 'toys',
  scope: 'cluster',
  decode: decodeToy,
  controller: 'validated',
}

// One decider: a toy with pools makes an advertisement for them, and says so.
const toys: KeptDecider = {
  name: 'toys',
  kind: 'Toy',
  reads: ['Toy', 'L2Advertisement'],
  wakes: ({ kind, key }) => (kind === 'Toy' ? [key] : [key.slice('toy-'.length)]),
  decide(world, name) {
    const toy = world.all('Toy').get(name)
    if (toy === undefined) return { writes: [] }
    const isMade = toy.pools.length > 0
    const condition = { status: isMade ? 'True' : 'False', reason: 'Decided', message: '' } as const
    const status: Write = {
      type: 'status',
      of: { kind: 'Toy', name },
      fields: { seen: isMade ? { pools: toy.pools.length, first: toy.pools[0] } : { pools: 0 } },
      conditions: { Made: condition },
    }
    const events = isMade ? [] : [{ type: 'Normal', reason: 'Unmade', message: 'no pool' } as const]
    return { writes: [isMade ? madeFrom(toy, world.ownNamespace) : unmade(name), status], events }
  },
}
const of = (name: string) => ({ kind: 'L2Advertisement', namespace, name: `toy-${name}` }) as const
const unmade = (name: string): Write => {
  return { type: 'delete', of: of(name), madeFrom: { kind: 'Toy', name } }
}
function madeFrom({ name, uid, pools }: Toy, place: string): Write {
  const ownerReferences = [{ apiVersion: 'toys.example/v1', kind: 'Toy', name, uid }]
  const metadata = { name: `toy-${name}`, namespace: place, labels: { toy: name }, ownerReferences }
  const spec = { ipAddressPools: pools, ...(pools.length > 1 ? { interfaces: ['eth0'] } : {}) }
  const object = { apiVersion: 'metallb.io/v1beta1', kind: 'L2Advertisement', metadata, spec }
  return { type: 'apply', object }
}

const namespace = 'metallb-system'
const settings = { ownNamespace: namespace, loadBalancerClass: '' }
const rows = [...kinds, row]
const list = [...coreDeciders, toys]
const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'toys.toys.example' },
  spec: {
    group: row.group,
    scope: 'Cluster',
    names: { kind: 'Toy', plural: 'toys', singular: 'toy', listKind: 'ToyList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: loose, status: loose } } },
      },
    ],
  },
}
const toy = (pools: readonly string[]) => ({
  apiVersion: 'toys.example/v1',
  kind: 'Toy',
  metadata: { name: 'ball' },
  spec: { pools },
})
const madeOf = (pools: readonly string[], interfaces?: readonly string[]) => ({
  metadata: { labels: { toy: 'ball' } },
  spec: { ipAddressPools: pools, ...(interfaces === undefined ? {} : { interfaces }) },
})
const told = (status: string, seen: object) => ({
  status: { seen, conditions: [{ type: 'Made', status, lastTransitionTime: expect.any(String) }] },
})

test('a decider answers only what its runner heeds', () => {
  const intent = { service: 'default/web', ips: [], wait: undefined }
  // @ts-expect-error The keeper's loop enters no intent.
  const kept: KeptDecider = { ...toys, decide: () => ({ writes: [], intent }) }
  // @ts-expect-error The claim protocol looks again when the World changes, and at no time.
  const claimed: HolderDecider = { ...services, decide: () => ({ writes: [], againInS: 1 }) }
  expect([kept.name, claimed.name]).toEqual(['toys', 'services'])
})

const theirs = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'L2Advertisement',
  metadata: { name: 'toy-ball', namespace },
  spec: { ipAddressPools: ['theirs'] },
}

test('the simulator runs it', () => {
  const crd = readCrd(definition)
  if (crd === undefined) throw new Error('no definition')
  const crds = [...shippedCrds.map((shipped) => shipped.crd), crd]
  const decode = decoderOf(rows)
  const gate = admission({ crds, check, checkDelete, bgpMode: 'native', decode })
  const cluster = new Cluster(gate, settings, { deciders: list })
  const give = (pools: readonly string[]) => {
    expect(cluster.apply(toy(pools))).toMatchObject({ ok: true })
    cluster.settle()
    return [cluster.get('Toy/ball'), cluster.get(`L2Advertisement/${namespace}/toy-ball`)]
  }
  const first = { pools: 2, first: 'a' }
  expect(give(['a', 'b'])).toMatchObject([told('True', first), madeOf(['a', 'b'], ['eth0'])])
  // What it applied before and no longer wants is gone.
  const [, made] = give(['a'])
  expect(made?.['spec']).toEqual({ ipAddressPools: ['a'] })
  const [after, gone] = give([])
  expect([after, gone]).toMatchObject([told('False', { pools: 0 }), undefined])
  expect(after?.['status']).toMatchObject({ seen: { pools: 0 } })
  const [event] = cluster.takeEvents()
  expect(event).toMatchObject({ kind: 'Toy', key: 'ball', reason: 'Unmade' })
  // What somebody else made under the name stays (R4.19), as the keeper leaves it.
  expect(cluster.apply(theirs)).toMatchObject({ ok: true })
  expect(give(['a'])[1]).toMatchObject({ spec: theirs.spec })
})

let kube: Kube
let api: Api
beforeAll(async () => {
  kube = await startEmbedded()
  api = newApi(connectionFor(kube, 'admin'))
})
afterAll(async () => {
  api.close()
  await kube.stop()
})

const make = (path: string, body: object) => api.call({ method: 'POST', path, body })
const l2 = `/apis/metallb.io/v1beta1/namespaces/${namespace}/l2advertisements/toy-ball`
const read = (path: string) => api.call({ method: 'GET', path }).catch(() => undefined)

async function define(): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const json of [...shippedCrds.map((shipped) => shipped.json), definition]) {
    await make(path, json as object)
  }
  await until('all are served', () => read('/apis/toys.example/v1/toys'))
  await make('/api/v1/namespaces', { metadata: { name: namespace } })
}

const controllerWith = (deciders: readonly Decider[], log: (entry: string) => void) =>
  new Controller({
    api,
    settings,
    clock: systemClock,
    random: () => 0.5,
    timestamp: () => '2026-01-01T00:00:00Z',
    identity: 'toy',
    kinds: rows,
    deciders,
    log: (entry) => log(JSON.stringify(entry)),
  })

test('the controller runs it, and one that always fails holds up nobody', async () => {
  await define()
  const broken: KeptDecider = {
    ...toys,
    name: 'broken',
    decide: () => {
      throw new Error('broken on purpose')
    },
  }
  const deaf: KeptDecider = {
    ...toys,
    name: 'deaf',
    wakes: () => {
      throw new Error('deaf on purpose')
    },
  }
  const log: string[] = []
  const stop = new AbortController()
  const controller = controllerWith([broken, deaf, ...list], (entry) => log.push(entry))
  const ended = controller.run(stop.signal)
  const path = '/apis/toys.example/v1/toys'
  const seen = (is: readonly unknown[]) =>
    until(`${JSON.stringify(is)}; last words: ${log.slice(-3).join('\n')}`, async () => {
      const both = [await read(`${path}/ball`), await read(l2)]
      controller.progress()
      return matches(both, is)
    })
  await make(path, toy(['a', 'b']))
  await seen([told('True', { pools: 2, first: 'a' }), madeOf(['a', 'b'], ['eth0'])])
  for (const said of ['broken on purpose', 'deaf on purpose']) {
    expect(controller.complaints()).toContainEqual(expect.stringContaining(said))
  }
  const body = { spec: { pools: ['a'] } }
  const contentType = 'application/merge-patch+json'
  await api.call({ method: 'PATCH', path: `${path}/ball`, contentType, body })
  await seen([told('True', { pools: 1, first: 'a' }), madeOf(['a'])])
  expect(await read(l2)).toHaveProperty('spec', { ipAddressPools: ['a'] })
  await api.call({ method: 'DELETE', path: l2 })
  await seen([told('True', { pools: 1, first: 'a' }), madeOf(['a'])])
  const none = { spec: { pools: [] } }
  await api.call({ method: 'PATCH', path: `${path}/ball`, contentType, body: none })
  await seen([told('False', { pools: 0 }), undefined])
  await make(l2.replace('/toy-ball', ''), theirs)
  await api.call({ method: 'PATCH', path: `${path}/ball`, contentType, body })
  await seen([told('True', { pools: 1, first: 'a' }), { spec: theirs.spec }])
  stop.abort()
  await ended
})

/** Claims nothing for anybody, and says so. */
const hesitant: HolderDecider = {
  ...services,
  claim: (_, service) => ({ ...claimsNothing(service), write: undefined }),
  decide: (_, service) => ({ ...claimsNothing(service), writes: [] }),
}
const claimsNothing = (service: Key) => ({
  intent: { service, ips: [], wait: undefined },
  events: [{ type: 'Normal', reason: 'Hesitated', message: 'not now' } as const],
})
const hesitating = coreDeciders.map((one) => (one.isClaimed === 'holders' ? hesitant : one))
const asking = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
}

test('what claims addresses is in the list too: simulator and controller run another one', async () => {
  const crds = shippedCrds.map((shipped) => shipped.crd)
  const gate = admission({ crds, check, checkDelete, bgpMode: 'native' })
  const cluster = new Cluster(gate, settings, { deciders: hesitating })
  cluster.apply(asking)
  cluster.settle()
  const saysIt = expect.objectContaining({ key: 'default/web', reason: 'Hesitated' })
  expect(cluster.takeEvents()).toContainEqual(saysIt)

  const stop = new AbortController()
  const ended = controllerWith(hesitating, () => undefined).run(stop.signal)
  await make('/api/v1/namespaces/default/services', asking)
  const said = await until('it is said', async () => {
    const events = await read('/api/v1/namespaces/default/events')
    return JSON.stringify(events).includes('Hesitated') || undefined
  })
  expect(said).toBe(true)
  stop.abort()
  await ended
})

test('a list without one decider for each part of a claim is our mistake', () => {
  const [without] = [coreDeciders.filter(({ isClaimed }) => isClaimed !== 'records')]
  expect(() => claimsAmong(without)).toThrow(Bug)
  expect(() => claimsAmong([...coreDeciders, hesitant])).toThrow(Bug)
})

function matches(found: readonly unknown[], is: readonly unknown[]): true | undefined {
  try {
    expect(found).toMatchObject(is)
    return true
  } catch {
    return undefined
  }
}
