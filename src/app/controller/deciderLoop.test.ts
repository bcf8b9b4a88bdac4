import { expect, test } from 'vitest'
import { pool } from '../../../test/build/announcing.ts'
import { newClock } from '../../../test/build/manualClock.ts'
import { Bug } from '../../core/model/bug.ts'
import { textAt } from '../../core/model/json.ts'
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
  readonly atOnce?: number
  readonly keysAtOnce?: number
}
const nobody = { kind: 'IPAddressPool', namespace: '', uid: '', resourceVersion: '' }
const writeOf = (name: string): Write => ({ type: 'delete', of: { kind: 'IPAddressPool', name } })

/** A decider of pools, and a keeper that does what the test says. */
function stand(given: Case = {}) {
  const {
    decide,
    keep,
    tellsState,
    atOnce,
    keysAtOnce,
    mayWrite = () => true,
    wakes = ({ key }) => [key],
  } = given
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
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(keysAtOnce === undefined ? {} : { keysAtOnce }),
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

test('what is woken is kept, by name and once, and nothing is done twice', async () => {
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

test('what nothing wakes is looked at less and less often, until a change wakes it', async () => {
  const { loop, put, kept, clock } = stand({
    decide: (name) => ({ writes: [writeOf(name)], againInS: 1, againWithinS: 5 }),
  })
  const roundAfter = async (ms: number): Promise<number> => {
    clock.advance(ms)
    await loop.round()
    return kept.length
  }
  put('a')
  const waits = [0, 1_000, 1_999, 1, 4_000, 4_999, 1, 5_000]
  const counts: number[] = []
  for (const ms of waits) counts.push(await roundAfter(ms))
  expect(counts).toEqual([1, 2, 2, 3, 4, 4, 5, 6])
  // Due and woken at the same time.
  clock.advance(5_000)
  put('a')
  expect([await roundAfter(0), await roundAfter(1_000)]).toEqual([7, 8])
})

test('what is not ours to write any more waits until it is', async () => {
  let mayWrite = true
  const lose = async () => {
    mayWrite = false
  }
  const { loop, put, kept } = stand({ mayWrite: () => mayWrite, keep: lose })
  for (const name of ['a', 'b']) put(name)
  await loop.round()
  // Nobody waits for what is not ours.
  expect([kept, loop.isQuiet]).toEqual([['a'], true])
  mayWrite = true
  expect(loop.isQuiet).toBe(false)
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

const made = (kind: string, name: string): Write => ({
  type: 'apply',
  object: { apiVersion: 'v1', kind, metadata: { name } },
})

test('objects of one kind are written together, and the next kind after them', async () => {
  const under: string[] = []
  const most: string[] = []
  const { loop, put } = stand({
    atOnce: 2,
    decide: () => ({
      writes: [made('A', '1'), made('A', '2'), made('A', '3'), made('B', '1'), writeOf('c')],
    }),
    async keep(write) {
      const name = write.type === 'apply' ? textAt(write.object, 'kind') : write.type
      under.push(name)
      await Promise.resolve()
      most.push([...under].join(' '))
      under.splice(under.indexOf(name), 1)
    },
  })
  put('a')
  await loop.round()
  expect(most).toEqual(['A A', 'A', 'A', 'B', 'delete'])
})

test.each([
  { keysAtOnce: undefined, most: 1 },
  { keysAtOnce: 3, most: 3 },
])(
  'keysAtOnce $keysAtOnce: $most keys are carried out at a time, and one that fails alone',
  async ({ keysAtOnce, most }) => {
    const seen: number[] = []
    let underWay = 0
    const { loop, put, kept, clock } = stand({
      ...(keysAtOnce === undefined ? {} : { keysAtOnce }),
      async keep(write) {
        seen.push(++underWay)
        for (let at = 0; at < 5; at++) await Promise.resolve()
        underWay--
        const isBad = write.type === 'delete' && write.of.name === 'b'
        if (isBad && kept.filter((name) => name === 'b').length === 1) throw new Fault('away')
      },
    })
    for (const name of ['a', 'b', 'c', 'd', 'e']) put(name)
    await loop.round()
    expect([Math.max(...seen), underWay]).toEqual([most, 0])
    expect([kept, loop.isQuiet]).toEqual([['a', 'b', 'c', 'd', 'e'], false])
    clock.advance(60_000)
    await loop.round()
    expect([kept.at(-1), loop.isQuiet]).toEqual(['b', true])
  },
)
