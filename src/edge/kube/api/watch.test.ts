import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { apiTo, rawServer, type Script, sendJson } from '../../../../test/build/rawServer.ts'
import { type WatchStep, watch } from './watch.ts'

const resource = { group: '', version: 'v1', plural: 'services' }
const listOf = (names: readonly string[], metadata: object): object => ({
  apiVersion: 'v1',
  kind: 'ServiceList',
  metadata,
  items: names.map((name) => ({ metadata: { name } })),
})
const event = (type: string, name: string, resourceVersion: string): string =>
  `${JSON.stringify({ type, object: { metadata: { name, resourceVersion } } })}\n`

function begin(response: ServerResponse, ...lines: readonly string[]): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write(lines.join(''))
}
const isWatch = (query: URLSearchParams): boolean => query.get('watch') === 'true'

type Watched = {
  readonly words: readonly string[]
  /** How long the watch slept, one entry per fault. */
  readonly slept: readonly number[]
  /** The requests, each as `watch 7` (its resourceVersion) or `list`. */
  readonly asked: readonly string[]
}

/** Watches a scripted server for a number of steps, without waiting. */
async function watched(script: Script, steps: number, silenceMs = 5000): Promise<Watched> {
  const server = await rawServer(script)
  const api = apiTo(server)
  const over = new AbortController()
  onTestFinished(() => {
    over.abort()
    api.close()
  })
  const slept: number[] = []
  const clock = {
    nowMs: () => 0,
    sleep: async (ms: number) => {
      slept.push(ms)
    },
  }
  const words: string[] = []
  const { signal } = over
  for await (const step of watch(api, resource, { signal, clock, random: () => 1, silenceMs })) {
    words.push(wordOf(step))
    if (words.length === steps) break
  }
  const asked = server.asked.map(({ query }) =>
    isWatch(query) ? `watch ${query.get('resourceVersion')}` : 'list',
  )
  return { words, slept, asked }
}

function wordOf(step: WatchStep): string {
  if (step.type === 'fault') return `fault ${'code' in step.fault ? step.fault.code : ''}`.trim()
  if (!('json' in step)) return step.type
  const { metadata } = step.json as { metadata: { name: string } }
  return `${step.type} ${metadata.name}`
}

const listed = ['init', 'init-apply a', 'init-done']

describe('the watch resumes', () => {
  test('from the last event or bookmark, whatever ends it', async () => {
    const endings = [
      (response: ServerResponse) => response.end(),
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => response.end('{"type":'),
      (response: ServerResponse) => response.end('no sense\n'),
      (response: ServerResponse) => response.end(event('STRANGE', 'x', '99')),
      (response: ServerResponse) => response.end('{"type":"ADDED","object":{}}\n'),
      (response: ServerResponse) => response.end('{"type":"ERROR","object":{"code":500}}\n'),
    ]
    const { words, asked } = await watched(
      ({ query }, response, count) => {
        if (!isWatch(query)) return sendJson(response, listOf(['a'], { resourceVersion: '7' }))
        const version = 7 + count
        begin(response, event(count % 2 ? 'ADDED' : 'BOOKMARK', 'b', String(version)))
        setTimeout(() => endings[count - 1]?.(response), 10)
      },
      3 + 4 + 7,
    )
    const faults = words.filter((word) => word.startsWith('fault'))
    expect(words.filter((word) => !faults.includes(word))).toEqual([
      ...listed,
      ...Array.from({ length: 4 }, () => 'apply b'),
    ])
    expect(faults.at(-1)).toBe('fault 500')
    const versions = ['7', '8', '9', '10', '11', '12', '13']
    expect(asked).toEqual(['list', ...versions.map((version) => `watch ${version}`)])
  })

  test('without a fault after a long silence', async () => {
    const { words, asked } = await watched(
      ({ query }, response, count) => {
        if (!isWatch(query)) return sendJson(response, listOf(['a'], { resourceVersion: '7' }))
        begin(response, ...(count === 1 ? [] : [event('ADDED', 'b', '8')]))
      },
      5,
      50,
    )
    // The test's clock stands still, so the watch counts as having ended at once.
    expect(words).toEqual([...listed, 'fault', 'apply b'])
    expect(asked).toEqual(['list', 'watch 7', 'watch 7'])
  })
})

describe('the watch lists again', () => {
  test('when the server answers 410 or 404, and starts over', async () => {
    const gone = (code: number) => `{"type":"ERROR","object":{"kind":"Status","code":${code}}}\n`
    const { words } = await watched(
      ({ query }, response, count) => {
        if (!isWatch(query)) return sendJson(response, listOf(['a'], { resourceVersion: '7' }))
        if (count === 1) return begin(response, gone(410))
        if (count === 3) return sendJson(response, { kind: 'Status', code: 410 }, 410)
        if (count === 5) return sendJson(response, { kind: 'Status', code: 404 }, 404)
        begin(response, event('DELETED', 'a', '8'))
      },
      4 * 3 + 3 + 1,
    )
    const again = [...listed, 'fault 410', ...listed, 'fault 410', ...listed, 'fault 404']
    expect(words).toEqual([...again, ...listed, 'delete a'])
  })

  test('from the first page when a later one has expired; the partial list is discarded', async () => {
    const { words } = await watched(
      ({ query }, response, count) => {
        if (isWatch(query)) return begin(response, event('ADDED', 'c', '9'))
        if (count === 1) return sendJson(response, { kind: 'Status', code: 410 }, 410)
        const isFirst = !query.has('continue')
        const metadata = { resourceVersion: '7', ...(isFirst ? { continue: 'more' } : {}) }
        sendJson(response, listOf(isFirst ? ['a'] : ['b'], metadata))
      },
      3 + 4 + 1,
    )
    const begun = ['init', 'init-apply a', 'fault 410']
    expect(words).toEqual([
      ...begun,
      'init',
      'init-apply a',
      'init-apply b',
      'init-done',
      'apply c',
    ])
  })

  test('items of a list get their type', async () => {
    const server = await rawServer((_, response) =>
      sendJson(response, listOf(['a'], { resourceVersion: '7' })),
    )
    const api = apiTo(server)
    onTestFinished(() => api.close())
    const { signal } = new AbortController()
    const clock = { nowMs: () => 0, sleep: async () => undefined }
    const steps = watch(api, resource, { signal, clock, random: () => 1 })
    await steps.next()
    const { value } = await steps.next()
    expect(value).toMatchObject({ json: { apiVersion: 'v1', kind: 'Service' } })
  })
})

describe('the watch waits', () => {
  test('twice as long after each failure, to ten seconds', async () => {
    const { words, slept } = await watched((_, response) => {
      sendJson(response, { kind: 'Status', code: 503 }, 503)
    }, 24)
    expect(new Set(words)).toEqual(new Set(['init', 'fault 503']))
    expect(slept).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000, 10_000])
  })

  test('as long as the server requests, if that is longer', async () => {
    const { slept } = await watched((_, response) => {
      response.setHeader('Retry-After', '5')
      sendJson(response, { kind: 'Status', code: 429 }, 429)
    }, 6)
    expect(slept).toEqual([5000, 5000])
  })

  test('when an answer is not a list', async () => {
    for (const answer of [{}, [], 1, null, { kind: 'Status' }, listOf([], {})]) {
      const { words } = await watched((_, response) => sendJson(response, answer), 2)
      expect(words).toEqual(['init', 'fault'])
    }
  })
})
