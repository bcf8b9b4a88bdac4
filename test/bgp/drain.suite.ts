// Is a node drained without a lost connection attempt, whichever router it has? With FRR in `seen`, and here with BIRD.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { apply } from '../lab/objects.ts'
import { flow } from './flow.ts'
import { hopsTo, type RouterLab, untilHops, upWith } from './router.ts'

const prefix = '10.50.0.1/32'
const hops = ['10.10.0.11', '10.10.0.12', '10.10.0.13']
const program = join(import.meta.dirname, '../../berth')
const label = 'node.kubernetes.io/exclude-from-external-load-balancers'

describe.skipIf(!inject('hasRouters'))('drain', () => {
  let lab: RouterLab
  const berth = (...args: readonly string[]) =>
    lab.in('control', program, ...args, '--kubeconfig', `/run/berth-lab/${lab.name}/api/kubeconfig`)
  beforeAll(async () => {
    lab = upWith('bird', { name: 'bgpdrain' })
    await untilHops(lab, prefix, hops)
  })
  afterAll(() => lab?.down())

  test('[R8.4] BIRD is asked to prefer others, then has no route, and no client fails to connect', async () => {
    const client = flow(lab, 'http://10.50.0.1/')
    await client.answers(20)
    const metadata = { name: 'node-1', labels: { [label]: 'berth-drain' } }
    const body = { apiVersion: 'v1', kind: 'Node', metadata }
    apply(lab, [{ path: '/api/v1/nodes/node-1', body }])
    await until('the router is asked to prefer others', () => {
      const [one, ...rest] = lab.paths(prefix)
      const isAsked = one?.communities.includes('65535:0') === true
      return isAsked && rest.every(({ communities }) => communities.length === 0) ? true : undefined
    })
    expect(berth('drain', 'node-1', '--timeout', '60').status).toBe(0)
    expect(hopsTo(lab, prefix)).toBe(hops.slice(1).join(' '))
    await client.answers(20)
    berth('undrain', 'node-1')
    await untilHops(lab, prefix, hops)
    await client.answers(20)
    // What is under way when its way changes may break: another node does not know the connection.
    const unconnected = /curl: \(7\)|Connection timed out/
    expect(client.stop().filter((line) => unconnected.test(line))).toEqual([])
  })
})
