import { expect, test } from 'vitest'
import { nodePolicy } from '../../../../test/build/wires.ts'
import { mayBeOne, vlanOf, type Wire, wiresNamed, wiresUnder } from './wires.ts'

const wire = (text: string): Wire => {
  const [name = '', id = ''] = text.split('/')
  return { interface: name || undefined, vlan: id === '' ? undefined : Number(id) }
}

const cases: { one: string; other: string; answer: boolean }[] = [
  { one: 'enp6s0/20', other: 'enp6s0/20', answer: true },
  { one: 'enp6s0/20', other: 'enp6s0/21', answer: false },
  { one: 'enp6s0/20', other: 'enp7s0/20', answer: false },
  { one: 'enp6s0', other: 'enp6s0', answer: true },
  { one: 'enp6s0', other: 'enp6s0/20', answer: false },
  { one: '/20', other: 'enp6s0/20', answer: true },
  { one: '/20', other: 'enp6s0/21', answer: false },
  { one: '/20', other: 'ospbr', answer: true },
  { one: '', other: 'enp6s0/20', answer: true },
  { one: '', other: '', answer: true },
]
test.each(cases)('[R5] "$one" and "$other" may be one wire: $answer', ({ one, other, answer }) => {
  expect(mayBeOne(wire(one), wire(other))).toBe(answer)
  expect(mayBeOne(wire(other), wire(one))).toBe(answer)
})

const policies = [
  nodePolicy('worker-0', [
    { name: 'internalapi', base: 'enp6s0', vlan: 20 },
    { name: 'enp6s0.21' },
    { name: 'vlan30', base: 'enp6s0', vlan: 30 },
  ]),
  nodePolicy('worker-1', [
    { name: 'internalapi', base: 'eno1', vlan: 20 },
    { name: 'vlan30', base: 'enp6s0', vlan: 30 },
  ]),
]
const names: { name: string; wires: string[] }[] = [
  { name: 'enp6s0', wires: ['enp6s0'] },
  { name: 'enp6s0.20', wires: ['enp6s0/20'] },
  { name: 'enp6s0.21', wires: ['enp6s0/21'] },
  { name: 'bond0.100.200', wires: ['bond0.100/200'] },
  { name: 'enp6s0.4095', wires: ['enp6s0.4095'] },
  { name: 'enp6s0.020', wires: ['enp6s0.020'] },
  { name: 'vlan30', wires: ['enp6s0/30'] },
  { name: 'vlan31', wires: ['vlan31'] },
  { name: 'internalapi', wires: ['enp6s0/20', 'eno1/20'] },
  { name: '', wires: [''] },
]
test.each(names)('[R5] interface "$name" means $wires', ({ name, wires }) => {
  expect(wiresNamed(policies)(name)).toEqual(wires.map(wire))
})

test('a VLAN id beside the interface is taken as it is written', () => {
  const named = wiresNamed(policies)
  expect(wiresUnder(named, { name: 'enp6s0', vlan: 20 })).toEqual([wire('enp6s0/20')])
  expect(wiresUnder(named, { name: '', vlan: 20 })).toEqual([wire('/20')])
  expect(wiresUnder(named, { name: 'vlan30', vlan: undefined })).toEqual([wire('enp6s0/30')])
})

test.each([undefined, 0, -3, 4095])('%s is no VLAN id', (id) => {
  expect(vlanOf(id)).toBeUndefined()
})
