// Proves when status and events are written, and which node clears what a dead one left behind.
import { describe, expect, test } from 'vitest'
import { ip } from '../../../../../test/build/announcing.ts'
import type { Ip } from '../../../../core/net/ip.ts'
import type { ServiceStatus } from '../../../../edge/kube/decode/decodeServiceStatus.ts'
import type { Election } from '../election.ts'
import { eventsOf, type Followed, isAnnounced, isToClear, mayStayTold } from './follow.ts'

const election = (given: Partial<Election> = {}): Election => ({
  owner: 'a',
  addresses: [ip('192.0.2.1')],
  interfaces: [],
  isOurs: true,
  isFailed: false,
  isSafe: false,
  isServedHere: true,
  ...given,
})
const status = (node: string, given: Partial<ServiceStatus> = {}): ServiceStatus => ({
  name: 'l2-x',
  uid: 'u',
  version: 1,
  node,
  service: 'shop/web',
  names: [],
  isComplete: true,
  ...given,
})
const followed = (given: Partial<Followed> = {}): Followed => ({
  addresses: [ip('192.0.2.1')],
  isFailed: false,
  isAnnounced: true,
  ...given,
})
const lost = followed({ isAnnounced: false })
const failed = followed({ isAnnounced: false, isFailed: true })

describe('[M12.2] an event is emitted on transitions only', () => {
  test.each([
    { what: 'first announced', before: undefined, after: followed(), says: 'nodeAssigned' },
    { what: 'probed first', before: undefined, after: lost },
    { what: 'taken over', before: lost, after: followed(), says: 'nodeAssigned' },
    { what: 'on other interfaces', before: followed(), after: followed() },
    { what: 'lost', before: followed(), after: lost },
    { what: 'failed', before: undefined, after: failed, says: 'announceFailed' },
    { what: 'still failed', before: failed, after: failed },
  ])('$what: $says', ({ before, after, says }) => {
    const said = eventsOf({ node: 'a', before, after, statuses: [] })
    expect(said.map(({ reason }) => reason)).toEqual(says === undefined ? [] : [says])
  })

  test('an announcement from before a restart emits no event', () => {
    const known = { node: 'a', before: undefined, after: followed() }
    expect(eventsOf({ ...known, statuses: [status('a')] })).toEqual([])
    expect(eventsOf({ ...known, statuses: [status('b')] })).toHaveLength(1)
  })

  test("[M5.3] MetalLB's words", () => {
    const known = { node: 'a', before: undefined, statuses: [] }
    const [assigned] = eventsOf({ ...known, after: followed() })
    expect(assigned?.message).toBe('announcing from node "a" with protocol "layer2"')
    const [refused] = eventsOf({ ...known, after: failed })
    expect(refused?.message).toBe(
      'the interfaces specified by LB IP "192.0.2.1" doesn\'t exist in ' +
        'assigned node "a" with protocol "layer2"',
    )
  })
})

describe('the status says that this node announces a Service', () => {
  const [four, six] = [ip('192.0.2.1'), ip('2001:db8::1')]
  const dual = election({ addresses: [four, six] })
  test.each([
    { when: 'it is probed', begun: [], refused: [], isNew: false, isOld: true },
    { when: 'one address is announced', begun: [four], refused: [], isNew: true, isOld: true },
    { when: 'another machine has it', begun: [], refused: [four], isNew: false, isOld: false },
    {
      when: 'another machine has one of two',
      begun: [six],
      refused: [four],
      isNew: false,
      isOld: false,
    },
  ])(
    'when $when: $isNew, and an existing status stays: $isOld',
    ({ begun, refused, isNew, isOld }) => {
      const answers = { announced: new Set(begun), refused: new Set(refused) }
      expect([isAnnounced(dual, answers), mayStayTold(dual, answers)]).toEqual([isNew, isOld])
    },
  )

  test('never if another node is elected', () => {
    const answers = { announced: new Set([four]), refused: new Set<typeof four>() }
    const theirs = election({ owner: 'b', isOurs: false })
    expect([isAnnounced(theirs, answers), mayStayTold(theirs, answers)]).toEqual([false, false])
    expect([isAnnounced(undefined, answers), mayStayTold(undefined, answers)]).toEqual([
      false,
      false,
    ])
  })
})

describe('the status that a node left behind', () => {
  const live = new Set(['c', 'a', 'b'])
  const answers = { announced: new Set([ip('192.0.2.1')]), refused: new Set<Ip>() }
  test.each([
    { of: 'a live node', from: 'b', owner: 'a', node: 'a', isOurs: false },
    { of: 'a dead node', from: 'x', owner: 'a', node: 'a', isOurs: true },
    {
      of: 'a dead node, with a new owner elsewhere',
      from: 'x',
      owner: 'b',
      node: 'a',
      isOurs: false,
    },
    { of: 'a Service that nobody announces', from: 'x', owner: undefined, node: 'a', isOurs: true },
    {
      of: 'the same, on the second live node',
      from: 'x',
      owner: undefined,
      node: 'b',
      isOurs: false,
    },
    {
      of: 'a dead node, while we count as dead too',
      from: 'x',
      owner: 'y',
      node: 'y',
      isOurs: false,
    },
  ])('of $of: $isOurs', ({ from, owner, node, isOurs }) => {
    const elections = new Map(
      owner === undefined ? [] : [['shop/web', election({ owner })] as const],
    )
    expect(isToClear(status(from), { node, live, elections, answers })).toBe(isOurs)
  })

  test('is cleared once the new owner announces, or cannot', () => {
    const clears = (begun: Partial<typeof answers>) => {
      const elections = new Map([['shop/web', election()]])
      const known = { node: 'a', live, elections, answers: { ...nothing, ...begun } }
      return isToClear(status('x'), known)
    }
    const nothing = { announced: new Set<Ip>(), refused: new Set<Ip>() }
    const one = new Set([ip('192.0.2.1')])
    expect([clears({}), clears({ announced: one }), clears({ refused: one })]).toEqual([
      false,
      true,
      true,
    ])
  })
})
