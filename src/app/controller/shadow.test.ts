import { beforeEach, expect, test } from 'vitest'
import { World } from '../../core/model/world.ts'
import { deciders } from '../../core/policy/deciders.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Shadow } from './shadow.ts'
import { Troubles } from './troubles.ts'

let world: World
let shadow: Shadow
let nowMs = 0
const log: object[] = []
beforeEach(() => {
  world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  nowMs = 0
  log.length = 0
  shadow = new Shadow({ world, nowMs: () => nowMs, troubles: new Troubles((one) => log.push(one)) })
  put({
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'lan', namespace: 'metallb-system' },
    spec: { addresses: ['10.0.0.1-10.0.0.9'] },
  })
})

function put(json: object): void {
  const decoded = decode(json)
  if (decoded.kind !== 'view') throw new Error(decoded.kind)
  world.apply({ type: 'upsert', view: decoded.view })
}
const service = (name: string, ips: readonly string[], annotations: object = {}): void =>
  put({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop', uid: name, annotations },
    spec: { type: 'LoadBalancer', clusterIPs: ['10.96.0.1'], ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
  })

test('what is written and may stay is no difference', () => {
  service('web', ['10.0.0.7'])
  expect([shadow.round(), shadow.differing]).toEqual([[], 0])
})

test('what we would not leave so is told once, with the reason', () => {
  service('web', ['10.0.0.7'], { 'metallb.io/loadBalancerIPs': '10.0.0.8' })
  expect(shadow.round()).toMatchObject([
    {
      service: 'shop/web',
      written: ['10.0.0.7'],
      decided: ['10.0.0.8'],
      why: expect.stringContaining('request-contradicts: 10.0.0.8 is asked for'),
    },
  ])
  service('web', ['10.0.0.7'], { 'metallb.io/loadBalancerIPs': '10.0.0.8', other: '1' })
  expect([shadow.round(), shadow.differing]).toEqual([[], 1])
  service('web', ['10.0.0.7'])
  expect([shadow.round(), shadow.differing]).toEqual([[], 0])
})

test('a new Service that gets what we would give is no difference', () => {
  service('web', [])
  shadow.round()
  service('web', ['10.0.0.1'])
  expect([shadow.round(), shadow.differing]).toEqual([[], 0])
})

test('a new Service that gets another address is one, and the World goes on from that', () => {
  service('web', [])
  shadow.round()
  service('web', ['10.0.0.4'])
  const [first] = shadow.round()
  expect(first).toMatchObject({ written: ['10.0.0.4'], decided: ['10.0.0.1'] })
  expect(world.holdingOf('shop/web')?.ips).toEqual(['10.0.0.4'])
})

test('a Service that gets nothing is one after a while, until it gets it', () => {
  service('web', [])
  shadow.round()
  nowMs = 5_000
  expect(shadow.overdue()).toEqual([])
  nowMs = 10_000
  expect(shadow.overdue()).toMatchObject([{ written: [], decided: ['10.0.0.1'] }])
  expect(shadow.overdue()).toEqual([])
  service('web', ['10.0.0.1'])
  expect([shadow.round(), shadow.differing]).toEqual([[], 0])
})

test('who waits with both is no difference', () => {
  service('web', [], { 'metallb.io/address-pool': 'nope' })
  nowMs = 20_000
  expect([shadow.round(), shadow.overdue(), shadow.differing]).toEqual([[], [], 0])
})

test('[P6] a decider that throws, for a key or for a change, is said; the others go on', () => {
  const fails = () => {
    throw new Error('ours')
  }
  const named = { name: 'bad', kind: 'Service', reads: ['Service'] } as const
  const bad = [
    { ...named, wakes: () => ['shop/web'], decide: fails },
    { ...named, name: 'worse', wakes: fails, decide: fails },
  ]
  const troubles = new Troubles((one) => log.push(one))
  shadow = new Shadow({ world, nowMs: () => 0, troubles, deciders: [...bad, ...deciders] })
  service('web', ['10.0.0.7'], { 'metallb.io/loadBalancerIPs': '10.0.0.8' })
  expect(shadow.round()).toMatchObject([{ service: 'shop/web', decided: ['10.0.0.8'] }])
  expect(troubles.parked).toEqual([
    'Service shop/web: a bug in Berth (bad): ours',
    'a change of Service shop/web: a bug in Berth (worse): ours',
  ])
  expect(log).toHaveLength(2)
})
