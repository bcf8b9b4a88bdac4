// Ever new labels, a hundred thousand at a time. The attacker holds a token of the embedded API for a namespace,
// and changes one object again and again. Afterwards: an object has at most a thousand, and memory holds no long
// ones of an object that has others by now.
// Before: the last 4,096 sets of them were kept, 10 MB each, until the program had no memory left.
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { tagsFrom } from '../../src/edge/store/storage/tags.ts'
import { WritesStand } from '../build/writesStand.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const labelled = (count: number, from = 0): object => ({
  metadata: {
    name: 'a',
    labels: Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${from + at}`, ''])),
  },
})

test('one more than a thousand are refused, in a new object and in a change', async () => {
  const stand = await WritesStand.start()
  const refused = await stand.create(maps, labelled(1_001))
  const why = 'metadata.labels: Too many: 1001: must have at most 1000 items'
  expect([refused.code, refused.body.message]).toEqual([422, expect.stringMatching(why)])
  expect((await stand.create(maps, labelled(1_000))).code).toBe(201)
  const body = { metadata: { labels: { another: '' } } }
  const asked = { method: 'PATCH', path: `${maps}/a`, body, type: 'merge' } as const
  expect((await stand.ask(asked)).code).toBe(422)
})

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')
const heapMb = (): number => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

test('what an object had is forgotten', () => {
  const before = heapMb()
  for (let round = 0; round < 60; round++) {
    const labels = Array.from({ length: 1_000 }, (_, at) => [`${round}-${at}`, 'x'.repeat(60)])
    tagsFrom(JSON.stringify([Object.fromEntries(labels), {}, []]))
  }
  expect(heapMb() - before).toBeLessThan(5)
})
