// Does a router learn the way to a Service, and unlearn it? The same with FRR and with BIRD.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { run } from '../lab/namespaces.ts'
import { apply, remove, service } from '../lab/objects.ts'
import { hopsTo, pidOf, problems, type RouterLab, untilHops, upWith } from './router.ts'

const four = { prefix: '10.50.0.1/32', hops: ['10.10.0.11', '10.10.0.12', '10.10.0.13'] }
const six = { prefix: 'fd10:50::1/128', hops: ['fd10:10::11', 'fd10:10::12', 'fd10:10::13'] }
const [, ...others] = four.hops
const daemon = { frr: 'bgpd', bird: 'bird' } as const

describe.skipIf(!inject('hasRouters')).each(['frr', 'bird'] as const)('%s', (kind) => {
  let lab: RouterLab
  beforeAll(async () => {
    lab = upWith(kind)
    for (const { prefix, hops } of [four, six]) await untilHops(lab, prefix, hops)
  })
  afterEach(async () => {
    lab.berth('heal')
    for (const { prefix, hops } of [four, six]) await untilHops(lab, prefix, hops)
  })
  afterAll(() => lab?.down())

  test('[R8.8] every node announces, with the attributes of MetalLB with FRR', () => {
    for (const { prefix, hops } of [four, six]) {
      expect(lab.paths(prefix)).toEqual(
        hops.map((nextHop) => ({
          nextHop,
          origin: 'IGP',
          asPath: '64512',
          med: 0,
          localPref: undefined,
          communities: [],
        })),
      )
    }
  })

  test('the router spreads a client over all nodes', async () => {
    const seen = new Set<string>()
    await until('an answer of every node', () => {
      seen.add(lab.in('client-1', 'curl', '-sm', '2', 'http://10.50.0.1/').out.trim())
      return seen.size === 3 ? true : undefined
    })
    expect([...seen].sort()).toEqual(['node-1', 'node-2', 'node-3'])
  })

  test('[R8.7] a Service that comes is announced, and withdrawn when it goes', async () => {
    const extra = service({ name: 'extra', address: '10.50.0.77' })
    apply(lab, [extra])
    await untilHops(lab, '10.50.0.77/32', four.hops)
    remove(lab, [extra])
    await untilHops(lab, '10.50.0.77/32', [])
    expect(hopsTo(lab, four.prefix)).toBe(four.hops.join(' '))
  })

  test('a node that says nothing is out of the table after the hold time', async () => {
    const speaker = pidOf(lab, 'node-1', 'speaker')
    run(['kill', '-STOP', speaker])
    try {
      await untilHops(lab, four.prefix, others)
    } finally {
      run(['kill', '-CONT', speaker])
    }
    await untilHops(lab, four.prefix, four.hops)
  })

  test('[M12.2] a router that says nothing is given up after the hold time, in words', async () => {
    const router = pidOf(lab, 'router-1', daemon[kind])
    run(['kill', '-STOP', router])
    try {
      const said = 'we ended it: Hold Timer Expired (4/0)'
      await until(said, () => (problems(lab).includes(said) ? true : undefined))
    } finally {
      run(['kill', '-CONT', router])
    }
  })

  test('[R8.9] a router that was gone comes back', async () => {
    lab.berth('fail', 'router', 'router-1')
    const isDown = () => (problems(lab).includes('bgp-session-down') ? true : undefined)
    await until('the problem', isDown)
    lab.berth('heal')
    for (const { prefix, hops } of [four, six]) await untilHops(lab, prefix, hops)
    await until('no problem', () => (isDown() ? undefined : true))
  })

  test('a killed speaker is missed at once', async () => {
    lab.berth('fail', 'speaker', 'node-1')
    await untilHops(lab, four.prefix, others)
  })

  test('[R8.4] a node that is labelled withdraws its routes', async () => {
    const label = 'node.kubernetes.io/exclude-from-external-load-balancers'
    const node = (labels: object) => ({
      path: '/api/v1/nodes/node-1',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', labels } },
    })
    apply(lab, [node({ [label]: '' })])
    await untilHops(lab, four.prefix, others)
    apply(lab, [node({})])
    await untilHops(lab, four.prefix, four.hops)
  })

  test('[R8.6] without the API everything stays announced', async () => {
    lab.berth('fail', 'api')
    // Three hold times.
    await sleep(9_000)
    expect(hopsTo(lab, four.prefix)).toBe(four.hops.join(' '))
  })
})
