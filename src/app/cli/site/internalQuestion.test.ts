import { expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import { internalQuestion } from './internalQuestion.ts'

const here = (address: string, prefixLength: number) => [
  { interface: 'eth0', address: address as Ip, prefixLength },
]
const nodes = (...addresses: string[]) => [{ macs: [], addresses: addresses as Ip[] }]

test('[R6.11] every address of the network but its own', () => {
  const asked = internalQuestion('10.0.0.0/29', here('10.0.0.5', 29), [])
  expect(asked).toEqual({
    interface: 'eth0',
    asked: [0, 1, 2, 3, 4, 6, 7].map((last) => `10.0.0.${last}`),
    unasked: undefined,
  })
})

test('[R6.11] a machine that is not in the network says so and asks nothing', () => {
  const {
    interface: link,
    asked,
    unasked,
  } = internalQuestion('10.0.0.0/24', here('10.9.0.5', 24), [])
  expect([link, asked]).toEqual(['', []])
  expect(unasked?.text).toContain('10.0.0.0/24: this machine is not in it')
})

test.each([
  ['10.0.0.0/16', '10.0.0.5', ['10.0.0.6', '192.0.2.1'], ['10.0.0.6']],
  ['fd00::/64', 'fd00::5', ['fd00::6', 'fd00::5', '10.0.0.6'], ['fd00::6']],
])('[R6.11] in %s the addresses of other nodes are asked for, and it says so', (...row) => {
  const [network, own, addresses, wanted] = row
  const { asked, unasked } = internalQuestion(network, here(own, 64), nodes(...addresses))
  expect(asked).toEqual(wanted)
  expect(unasked?.text).toContain(`${network} only 1 address of other nodes`)
})
