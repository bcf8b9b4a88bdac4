import { expect, test } from 'vitest'
import { l2, node, nodeInterfaces, onNode, worldOf } from '../../../../test/build/announcing.ts'
import { interfaceProblems } from './interfaceProblems.ts'

const nodes = [node('a'), nodeInterfaces('a', ['eth0', 'eth1']), node('b')]

test.each([
  ['one that is there', l2('x', { interfaces: ['eth1'] }), []],
  ['none listed', l2('x'), []],
  ['one of two', l2('x', { interfaces: ['eth1', 'bond9'] }), ['warning spec.interfaces']],
  ['a typo', l2('x', { interfaces: ['bond9'] }), ['error spec.interfaces']],
  [
    'on a node whose interfaces are not known',
    l2('x', { interfaces: ['bond9'], nodeSelectors: [onNode('b')] }),
    [],
  ],
])('[R7] interface-missing: %s', (_, advertisement, expected) => {
  const found = interfaceProblems(worldOf(...nodes, advertisement))
  expect(found.map(({ severity, field }) => `${severity} ${field}`)).toEqual(expected)
})
