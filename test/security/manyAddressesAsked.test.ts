// Services that ask for ninety thousand addresses each. The attacker may annotate Services in its namespace, and waits
// until the controller starts, or a pool changes. Afterwards: what is too long for two addresses is not read.
// Before: each took a tenth of a second to be refused, and all are decided in one go where nothing is to be written:
// 250 of them held up the controller for longer than its Lease lasts, and so the next one that took over.
import { expect, test, vi } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const asking = (text: string) => {
  const annotations = { 'metallb.io/loadBalancerIPs': text }
  const decoded = decode({
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { name: 'a', namespace: 'alpha', uid: 'u', annotations },
    spec: { type: 'LoadBalancer', clusterIPs: ['fd00::9'], ports: [{ port: 80 }] },
  })
  if (decoded.kind !== 'view') throw new Error(JSON.stringify(decoded))
  const world = new World(settings)
  world.apply({ type: 'upsert', view: decoded.view })
  return decideService(world, 'alpha/a').lacks
}

test('as many addresses as an annotation has room for', () => {
  const splits = vi.spyOn(String.prototype, 'split')
  try {
    expect(asking(Array(87_000).fill('::').join())?.reason).toBe('address-invalid')
    expect(splits.mock.calls.length).toBeLessThan(100)
  } finally {
    splits.mockRestore()
  }
})

test('three addresses are counted', () => {
  expect(asking('::1, ::2, ::3')?.message).toBe('at most two addresses can be requested, not 3')
})
