import { expect, test } from 'vitest'
import { pool } from '../../../test/build/announcing.ts'
import { newClock } from '../../../test/build/manualClock.ts'
import { Bug } from '../../core/model/bug.ts'
import { World } from '../../core/model/world.ts'
import type { Write } from '../../core/model/write.ts'
import type { KeptDecider } from '../../core/policy/decider.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { DeciderLoop } from './deciderLoop.ts'
import { Troubles } from './troubles.ts'

type Decided = ReturnType<KeptDecider['decide']>
type Case = {
  readonly mayWrite?: () => boolean
  readonly wakes?: KeptDecider['wakes']
  readonly decide?: (name: string) => Decided
  readonly keep?: (write: Write) => Promise<void>
  readonly tellsState?: true
}
const nobody = { kind: 'IPAddressPool', namespace: '', uid: '', resourceVersion: '' }
const writeOf = (name: string): Write => ({ type: 'delete', of: { kind: 'IPAddressPool', name } })

/** A decider of pools, and a keeper that does what the test says. */
function stand(given: Case = {}) {
  const { decide, keep, tellsState, mayWrite = () => true, wakes = ({ key }) => [key] } = given
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const log: Readonly<Record<string, unknown>>[] = []
  const kept: string[] = []
  const clock = newClock()
  const troubles = new Troubles((entry) => log.push(entry))
  const decider: KeptDecider = {
    name: 'toys',
    kind: 'IPAddressPool',
    reads: ['IPAddressPool'],
    wakes,
    ...(tellsState === undefined ? {} : { tellsState }),
    decide: (_, name) => decide?.(name) ?? { writes: [writeOf(name)] },
  }
  const keeper = {
    async keep(write: Write): Promise<void> {
      if (write.type === 'delete') kept.push(write.of.name)
      await keep?.(write)
    },
    about: async (_: string, name: string) => ({ ...nobody, name }),
  }
  const said: string[] = []
  const say = ({ name }: { readonly name: string }) => void said.push(name)
  const random = () => 1
  const timestamp = () => '2026-01-01T00:00:00Z'
  const parts = { decider, world, keeper, clock, timestamp, random, mayWrite, say, troubles }
  const loop = new DeciderLoop(parts)
  const put = (name: string) => {
    world.apply({ type: 'upsert', view: pool(name, ['10.0.0.1/32']) })
  }
  return { loop, put, log, kept, said, clock, troubles }
}

test('what is woken is kept, by name and once, and nothing is done in vain', async () => {
  const { loop, put, kept } = stand()
  for (const name of ['b', 'a', 'b']) put(name)
  expect(loop.isQuiet).toBe(false)
  await loop.round()
  await loop.round()
  expect([kept, loop.isQuiet]).toEqual([['a', 'b'], true])
})

test('[R8.23] what stands at the start is no news, what comes later is told once', async () => {
  const events = [{ type: 'Warning', reason: 'Alone', message: 'nobody meets it' } as const]
  const { loop, put, said } = stand({ tellsState: true, decide: () => ({ writes: [], events }) })
  put('old')
  await loop.round()
  for (const name of ['old', 'new', 'new']) {
    put(name)
    await loop.round()
  }
  expect(said).toEqual(['new'])
})

test('what fails is logged and waits longer each time, the rest does not', async () => {
  const refuse = async (write: Write) => {
    if (write.type === 'delete' && write.of.name === 'bad') throw new Fault('no')
  }
  const { loop, put, log, kept, clock, troubles } = stand({ keep: refuse })
  for (const name of ['bad', 'good']) put(name)
  await loop.round()
  expect([kept, loop.isQuiet]).toEqual([['bad', 'good'], false])
  // An edit does not make it due before its time.
  put('bad')
  for (const ms of [99, 1, 199, 1]) {
    clock.advance(ms)
    await loop.round()
  }
  expect(kept).toEqual(['bad', 'good', 'bad', 'bad'])
  const entry = { level: 'warn', decider: 'toys', object: 'IPAddressPool bad', message: 'no' }
  expect(log).toEqual([entry, entry, entry])
  expect([...troubles.failures]).toEqual([['toys', 3]])
})

test.each([new Bug('impossible'), new TypeError('impossible')])(
  '%s in a decision is parked and shown until it is decided without one',
  async (error) => {
    let isBroken = true
    const decide = (name: string): Decided => {
      if (isBroken && name === 'bad') throw error
      return { writes: [writeOf(name)] }
    }
    const { loop, put, log, kept, clock, troubles } = stand({ decide })
    for (const name of ['bad', 'good']) put(name)
    await loop.round()
    clock.advance(60_000)
    await loop.round()
    expect([kept, log.length, loop.isQuiet]).toEqual([['good'], 1, true])
    expect(troubles.parked).toEqual(['IPAddressPool bad: a bug in Berth (toys): impossible'])
    isBroken = false
    put('bad')
    await loop.round()
    expect([kept, troubles.parked]).toEqual([['good', 'bad'], []])
  },
)

test('a change whose keys cannot be told is parked and shown until they can, and stops nobody', async () => {
  let isBroken = true
  const wakes: KeptDecider['wakes'] = function* ({ key }) {
    if (isBroken && key === 'bad') throw new Error('impossible')
    yield key
  }
  const { loop, put, log, kept, troubles } = stand({ wakes })
  for (const name of ['bad', 'good']) put(name)
  await loop.round()
  expect([kept, log.length, loop.isQuiet]).toEqual([['good'], 1, true])
  const bug = 'a change of IPAddressPool bad: a bug in Berth (toys): impossible'
  expect(troubles.parked).toEqual([bug])
  isBroken = false
  put('bad')
  await loop.round()
  expect([kept, troubles.parked]).toEqual([['good', 'bad'], []])
})

test('what asks to be looked at again is, when its time has come', async () => {
  const { loop, put, kept, clock } = stand({
    decide: (name) => ({ writes: [writeOf(name)], againInS: 30 }),
  })
  put('a')
  for (const ms of [0, 29_999, 1]) {
    clock.advance(ms)
    await loop.round()
  }
  expect([kept, loop.isQuiet]).toEqual([['a', 'a'], true])
})

test('what is not ours to write any more waits until it is', async () => {
  let mayWrite = true
  const lose = async () => {
    mayWrite = false
  }
  const { loop, put, kept } = stand({ mayWrite: () => mayWrite, keep: lose })
  for (const name of ['a', 'b']) put(name)
  await loop.round()
  expect(kept).toEqual(['a'])
  mayWrite = true
  await loop.round()
  expect(kept).toEqual(['a', 'b'])
})

test('a write that is refused does not hold up the others of its key', async () => {
  const { loop, put, kept, log } = stand({
    decide: () => ({ writes: [writeOf('one'), writeOf('two')] }),
    keep: () => Promise.reject(new Fault('no')),
  })
  put('a')
  await loop.round()
  expect([kept, log.length]).toEqual([['one', 'two'], 1])
})

test('those of a namespace that keep changing do not keep the others of it waiting', async () => {
  const { loop, put, kept } = stand({ wakes: ({ key }) => [`red/${key}`] })
  const names = Array.from({ length: 16 }, (_, at) => `a${at}`)
  for (const name of [...names, 'z']) put(name)
  await loop.round()
  expect([kept.includes('red/z'), loop.isQuiet]).toEqual([false, false])
  for (const name of names) put(name)
  await loop.round()
  expect(kept.filter((name) => name === 'red/z')).toHaveLength(1)
  await loop.round()
  expect([kept.length, loop.isQuiet]).toEqual([33, true])
})
