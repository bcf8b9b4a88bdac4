// Proves when people are told, and who clears what others left behind.
import { describe, expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import type { L2Status } from '../../../edge/kube/decode/decodeL2Status.ts'
import type { Standing } from '../announcer.ts'
import { eventsOf, isToClear } from './follow.ts'

const standing = (given: Partial<Standing> = {}): Standing => ({
  owner: 'a',
  addresses: [ip('192.0.2.1')],
  interfaces: [],
  isOurs: true,
  isFailed: false,
  ...given,
})
const status = (node: string, given: Partial<L2Status> = {}): L2Status => ({
  name: 'l2-x',
  uid: 'u',
  resourceVersion: '1',
  node,
  service: 'shop/web',
  interfaces: [],
  isComplete: true,
  ...given,
})
const lost = standing({ owner: 'b', isOurs: false })
const failed = standing({ isOurs: false, isFailed: true })

describe('[M12.2] an event, on transitions alone', () => {
  test.each([
    { what: 'first announced', before: undefined, after: standing(), says: 'nodeAssigned' },
    { what: 'taken over', before: lost, after: standing(), says: 'nodeAssigned' },
    { what: 'on other interfaces', before: standing({ interfaces: ['x'] }), after: standing() },
    { what: 'lost', before: standing(), after: lost },
    { what: 'failed', before: undefined, after: failed, says: 'announceFailed' },
    { what: 'still failed', before: failed, after: failed },
  ])('$what: $says', ({ before, after, says }) => {
    const said = eventsOf({ node: 'a', before, after, statuses: [] })
    expect(said.map(({ reason }) => reason)).toEqual(says === undefined ? [] : [says])
  })

  test('what an earlier life of this speaker announced is no news', () => {
    const known = { node: 'a', before: undefined, after: standing() }
    expect(eventsOf({ ...known, statuses: [status('a')] })).toEqual([])
    expect(eventsOf({ ...known, statuses: [status('b')] })).toHaveLength(1)
  })

  test("[M5.3] MetalLB's words", () => {
    const known = { node: 'a', before: undefined, statuses: [] }
    const [assigned] = eventsOf({ ...known, after: standing() })
    expect(assigned?.message).toBe('announcing from node "a" with protocol "layer2"')
    const [refused] = eventsOf({ ...known, after: failed })
    expect(refused?.message).toBe(
      'the interfaces specified by LB IP "192.0.2.1" doesn\'t exist in ' +
        'assigned node "a" with protocol "layer2"',
    )
  })
})

describe('what a node left behind', () => {
  const live = new Set(['c', 'a', 'b'])
  test.each([
    { of: 'one that lives', from: 'b', owner: 'a', node: 'a', isOurs: false },
    { of: 'one that is dead', from: 'x', owner: 'a', node: 'a', isOurs: true },
    {
      of: 'one that is dead, owned by another now',
      from: 'x',
      owner: 'b',
      node: 'a',
      isOurs: false,
    },
    { of: 'a Service that nobody announces', from: 'x', owner: undefined, node: 'a', isOurs: true },
    { of: 'the same, for the next', from: 'x', owner: undefined, node: 'b', isOurs: false },
    { of: 'one that is dead, as we are', from: 'x', owner: 'y', node: 'y', isOurs: false },
  ])('of $of: $isOurs', ({ from, owner, node, isOurs }) => {
    const standings = new Map([['shop/web', standing({ owner })]])
    expect(isToClear(status(from), { node, live, standings })).toBe(isOurs)
  })
})
