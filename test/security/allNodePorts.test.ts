// One namespace takes all node ports. The attacker holds a token of the embedded API for it. Afterwards:
// Services of other namespaces get theirs.
// Before: the other namespaces got none.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const ports = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `p${at}`, port: 1 + at }))

test('the last tenth is for others', async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const headers = { 'Content-Type': 'application/json' }
  const post = (path: string, body: object) => stand.ask(path, { method: 'POST', body, headers })
  for (const name of ['greedy', 'modest']) {
    await post('/api/v1/namespaces', { metadata: { name } })
  }
  const service = (namespace: string, name: string, count: number, spec: object = {}) =>
    post(`/api/v1/namespaces/${namespace}/services`, {
      metadata: { name },
      spec: { type: 'LoadBalancer', ports: ports(count), ...spec },
    })
  const codes: number[] = []
  for (let made = 0; made < 15; made++) codes.push((await service('greedy', `s${made}`, 200)).code)
  expect(codes.indexOf(500)).toBe(12)
  const one = await service('greedy', 'one-more', 200)
  expect(one.json.message).toContain('the last free ports are for other namespaces than greedy')
  for (let made = 0; made < 3; made++) {
    expect((await service('modest', `s${made}`, 20)).code).toBe(201)
  }
  const without = { allocateLoadBalancerNodePorts: false }
  expect((await service('greedy', 'without', 20, without)).code).toBe(201)
})
