import { expect, test } from 'vitest'
import { node, peer, worldOf } from '../../../../test/build/announcing.ts'
import { bgpSession } from '../../../../test/build/bgpSession.ts'
import { unknownName } from './unknownName.ts'

const world = worldOf(
  ...[node('worker-1'), node('worker-2'), peer('tor-1'), peer('spine')],
  bgpSession({ node: 'retired', peer: 'old' }),
)

test.each([
  { node: '', peer: '', said: undefined },
  { node: 'worker-1', peer: 'tor-1', said: undefined },
  // Gone, and not cleared yet.
  { node: 'retired', peer: 'old', said: undefined },
  {
    node: 'worker-3',
    peer: '',
    said: 'node worker-3 does not exist; did you mean worker-1 or worker-2?',
  },
  { node: 'zoo', peer: '', said: 'node zoo does not exist' },
  { node: '', peer: 'tor1', said: 'BGPPeer tor1 does not exist; did you mean tor-1?' },
])('$node and $peer: $said', ({ said, ...filter }) => {
  expect(unknownName(world, filter)).toBe(said)
})
