// Small changes of an object that has very many fields, all at once. The attacker holds a token of the embedded
// API for a namespace. Afterwards: an object is no larger than in Kubernetes, writes that take long are decided in
// turns of their own, and users take turns.
// Before: a ConfigMap with 240,000 keys was stored with 5 MB of managedFields, and eight changes of its label were
// decided in one go, which held up everybody for 90 s on a busy machine.
import { expect, test } from 'vitest'
import { CommitQueue } from '../../src/edge/store/storage/commitQueue.ts'
import { WritesStand } from '../build/writesStand.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const withKeys = (count: number): object => ({
  metadata: { name: 'a' },
  data: Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), ''])),
})

test('what is too large with its managedFields is refused', { timeout: 60_000 }, async () => {
  const stand = await WritesStand.start()
  const refused = await stand.create(maps, withKeys(100_000))
  expect([refused.code, refused.body.message]).toEqual([
    413,
    expect.stringMatching(
      /^configmaps "a" is too large: with its managedFields it has \d+ bytes, and at most 1572864 are stored: split/,
    ),
  ])
  expect(refused.body.details).toEqual({ name: 'a', kind: 'configmaps' })
  expect((await stand.create(maps, withKeys(1_000))).code).toBe(201)
  const { data } = Object(withKeys(100_000))
  const patch = { method: 'PATCH', path: `${maps}/a`, body: { data }, type: 'merge' } as const
  expect((await stand.ask(patch)).code).toBe(413)
  const label = { ...patch, body: { metadata: { labels: { a: 'b' } } } }
  expect((await stand.ask(label)).code).toBe(200)
})

/** What was decided in each turn; each write takes so long. */
function newQueue(ms: number) {
  const turns: string[][] = []
  let turn: string[] = []
  const queue = new CommitQueue({
    ...{ tx: undefined, size: () => 0, undoTo: () => undefined, publish: () => undefined },
    commit: () => {
      turns.push(turn)
      turn = []
    },
  })
  const write = (name: string) => () => {
    const until = performance.now() + ms
    while (performance.now() < until);
    turn.push(name)
  }
  return { queue, turns, write }
}

test('writes that take long are not decided in one go', async () => {
  const { queue, turns, write } = newQueue(60)
  await Promise.all(['a', 'b', 'c'].map((name) => queue.add(write(name), 'tenant')))
  expect(turns).toEqual([['a'], ['b'], ['c']])
})

test('who writes little waits for one write of who writes much, and each in its order', async () => {
  const { queue, turns, write } = newQueue(0)
  const much = Array.from({ length: 600 }, (_, at) => queue.add(write(`m${at}`), 'much'))
  const little = ['l0', 'l1'].map((name) => queue.add(write(name), 'little'))
  await Promise.all([...much, ...little])
  expect(turns.flat().slice(0, 5)).toEqual(['m0', 'l0', 'm1', 'l1', 'm2'])
  expect(turns.flat()).toHaveLength(602)
})
