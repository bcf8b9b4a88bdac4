import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import { electionOrder } from './elect.ts'

const nodes = ['node-a', 'node-b', 'node-c']

test.each([
  { address: '10.20.30.1', order: ['node-b', 'node-c', 'node-a'] },
  { address: '10.20.30.2', order: ['node-c', 'node-a', 'node-b'] },
  { address: '192.168.1.240', order: ['node-a', 'node-c', 'node-b'] },
  { address: 'fc00:f853:ccd:e799::', order: ['node-b', 'node-c', 'node-a'] },
  { address: 'FC00:F853:0CCD:E799:0:0:0:0', order: ['node-b', 'node-c', 'node-a'] },
])('[M12.4] the order for $address is $order', ({ address, order }) => {
  const scoreOf = () => 0
  expect(electionOrder({ ip: ip(address), nodes, scoreOf })).toEqual(order)
  expect(electionOrder({ ip: ip(address), nodes: nodes.toReversed(), scoreOf })).toEqual(order)
})

test('[M5.3] a higher score goes before any hash, equal scores go by hash', () => {
  const scoreOf = (node: string) => (node === 'node-b' ? 10 : 20)
  const order = electionOrder({ ip: ip('10.20.30.1'), nodes, scoreOf })
  expect(order).toEqual(['node-c', 'node-a', 'node-b'])
})

test('[M5.3] whatever was asked before, the order is that of the whole digests', () => {
  const digest = (node: string, address: string) =>
    createHash('sha256').update(`${node}#${address}`).digest('hex')
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,12}$/), { maxLength: 12 })
  const host = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(names, host, (nodes, at) => {
      const address = ip(`192.0.2.${at}`)
      const order = electionOrder({ ip: address, nodes, scoreOf: () => 0 })
      const expected = nodes.toSorted((one, other) =>
        digest(one, address) < digest(other, address) ? -1 : 1,
      )
      expect(order).toEqual(expected)
    }),
  )
})
