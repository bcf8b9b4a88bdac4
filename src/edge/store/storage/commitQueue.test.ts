import { expect, test } from 'vitest'
import { CommitQueue } from './commitQueue.ts'

/** A ledger of words; `broken` is what the next commit throws. */
function newLedger() {
  const words: string[] = []
  const log: string[] = []
  const said = { broken: undefined as Error | undefined }
  const queue = new CommitQueue({
    tx: words,
    size: () => words.length,
    undoTo: (size) => void words.splice(size),
    commit: () => {
      if (said.broken !== undefined) throw said.broken
      log.push(`commit ${words.join(' ')}`)
    },
    publish: () => log.push(`publish ${words.splice(0).join(' ')}`),
  })
  return { queue, words, log, said }
}

const put = (word: string) => (words: string[]) => words.push(word)

test('what waits is decided in order, each seeing those before, and committed once', async () => {
  const { queue, log } = newLedger()
  const sizes = await Promise.all([queue.add(put('a')), queue.add(put('b')), queue.add(put('c'))])
  expect(sizes).toEqual([1, 2, 3])
  expect(log).toEqual(['commit a b c', 'publish a b c'])
})

test('nothing is decided in the turn that asks for it', async () => {
  const { queue, words } = newLedger()
  const added = queue.add(put('a'))
  expect(words).toEqual([])
  await added
})

test('one that throws takes back what it wrote, and only that', async () => {
  const { queue, log } = newLedger()
  const fails = (words: string[]): never => {
    words.push('half', 'done')
    throw new Error('no')
  }
  const answers = await Promise.allSettled([
    queue.add(put('a')),
    queue.add(fails),
    queue.add(put('b')),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(log).toEqual(['commit a b', 'publish a b'])
})

test('a commit that fails is the answer to each of its batch; the next one works', async () => {
  const { queue, words, log, said } = newLedger()
  said.broken = new Error('disk full')
  const own = new Error('my own')
  const answers = await Promise.allSettled([
    queue.add(put('a')),
    queue.add((): never => {
      throw own
    }),
    queue.add((seen) => seen.length),
  ])
  const reasons = answers.map((answer) => answer.status === 'rejected' && answer.reason)
  expect(reasons).toEqual([said.broken, own, said.broken])
  expect([words, log]).toEqual([[], []])
  said.broken = undefined
  await queue.add(put('b'))
  expect(log).toEqual(['commit b', 'publish b'])
})

test('a long queue is cut into turns', async () => {
  const { queue, log } = newLedger()
  await Promise.all(Array.from({ length: 600 }, () => queue.add(put('x'))))
  const sizes = log
    .filter((line) => line.startsWith('commit'))
    .map((line) => line.split(' ').length)
  expect(sizes).toEqual([257, 257, 89])
})

test('what is asked for while a batch is published comes into the next', async () => {
  const log: string[] = []
  let next: Promise<unknown> | undefined
  const queue: CommitQueue<string[]> = new CommitQueue<string[]>({
    tx: log,
    size: () => 0,
    undoTo: () => undefined,
    commit: () => log.push('commit'),
    publish: () => {
      next ??= queue.add(put('second'))
    },
  })
  await queue.add(put('first'))
  await next
  expect(log).toEqual(['first', 'commit', 'second', 'commit'])
})

test('finish does what waits, at once', async () => {
  const { queue, log } = newLedger()
  const all = [queue.add(put('a')), queue.add(put('b'))]
  queue.finish()
  expect(log).toEqual(['commit a b', 'publish a b'])
  await Promise.all(all)
})
