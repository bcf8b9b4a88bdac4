// Proves who clears what a dead node reported, and that nobody does it too early.
import { expect, test } from 'vitest'
import type { Api } from '../../../../edge/kube/api/client.ts'
import { Leftovers } from './leftovers.ts'

const all = ['a', 'b', 'c']

function stand(node = 'a') {
  const deleted: string[] = []
  const api: Api = {
    async call({ method, path, query }) {
      deleted.push(`${method} ${path.split('/').at(-1)} ${query?.['labelSelector']}`)
      return {}
    },
    async *stream() {
      yield* []
    },
    close: () => undefined,
  }
  let nowMs = 0
  const parts = { api, node, namespace: 'lb', nodes: () => all, nowMs: () => nowMs }
  const leftovers = new Leftovers(parts)
  return {
    async after(ms: number, ...seen: readonly string[]) {
      nowMs += ms
      const expected = new Set(all)
      await leftovers.round({ live: new Set(seen), expected })
      return deleted.splice(0)
    },
  }
}

test('[R8.10] all that a dead node reported goes at once, after five seconds and one time', async () => {
  const { after } = stand()
  expect(await after(0, 'a', 'b', 'c')).toEqual([])
  expect(await after(1_000, 'a', 'b')).toEqual([])
  expect(await after(5_000, 'a', 'b')).toEqual([
    'DELETE servicebgpstatuses metallb.io/node=c',
    'DELETE bgpsessions metallb.io/node=c',
  ])
  expect(await after(5_000, 'a', 'b')).toEqual([])
  expect(await after(1_000, 'a', 'b', 'c')).toEqual([])
  expect(await after(1_000, 'a', 'b')).toEqual([])
  expect(await after(5_000, 'a', 'b')).toHaveLength(2)
})

test.each([
  { what: 'the second live node', node: 'b', seen: ['a', 'b'] },
  { what: 'a node that sees no majority', node: 'a', seen: ['a'] },
  { what: 'a node that others do not see', node: 'a', seen: ['b', 'c'] },
])('[R8.10] $what clears nothing', async ({ node, seen }) => {
  const { after } = stand(node)
  await after(0, ...seen)
  expect(await after(60_000, ...seen)).toEqual([])
})
