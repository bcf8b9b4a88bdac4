// A client that does not read its watch gets what it missed, or is cut off, at no cost to others.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { ApiStand, type StandOptions } from '../../../../test/build/apiStand.ts'
import type { JsonObject } from '../../../core/model/gate.ts'

const maps = '/api/v1/namespaces/shop/configmaps'
const asked = `GET ${maps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n`
const large = (name: string) => ({
  metadata: { name, namespace: 'shop' },
  data: { x: 'x'.repeat(100_000) },
})

let stand: ApiStand
const start = async (options: StandOptions): Promise<void> => {
  stand = await ApiStand.start(options)
}
afterEach(async () => {
  expect(stand.failures).toEqual([])
  await stand.stop()
})

type Named = { readonly metadata: { readonly name: string } }
async function namesIn(events: AsyncGenerator<JsonObject>, count: number): Promise<string[]> {
  const names: string[] = []
  for await (const { object } of events) {
    if (names.push((object as Named).metadata.name) === count) break
  }
  return names
}

test('a slow client gets every event once, from the history', async () => {
  await start({ limits: { bufferedBytes: 200_000 } })
  const socket = await stand.socket()
  for (let index = 0; index < 100; index += 1) await stand.put('configmaps', large(`a${index}`))
  socket.write(asked)
  for (let index = 0; index < 100; index += 1) await stand.put('configmaps', large(`b${index}`))
  await sleep(200)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk
    socket.pause()
    setTimeout(() => socket.resume(), 1)
  })
  while (!text.includes('"name":"b99"')) await sleep(50)
  const revisions = [...text.matchAll(/"resourceVersion":"(\d+)"/g)].map(([, one]) => Number(one))
  const first = revisions.slice(0, 100).sort((one, other) => one - other)
  const expected = Array.from({ length: 200 }, (_, index) => index + 1)
  expect([...first, ...revisions.slice(100)]).toEqual(expected)
  socket.destroy()
})

test('a client that does not read is disconnected; others get their events', async () => {
  await start({ limits: { bufferedBytes: 100_000, stallMs: 300 } })
  const socket = await stand.socket()
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(asked)
  await sleep(50)
  socket.pause()
  const count = 200
  const others = namesIn(stand.events(`${maps}?watch=1&resourceVersion=0`), count)
  for (let index = 0; index < count; index += 1) await stand.put('configmaps', large(`a${index}`))
  expect(await others).toHaveLength(count)
  await sleep(600)
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  socket.resume()
  await closed
  expect(received).toBeLessThan(count * 100_000)
})

test('a client that is too slow for the history is told to list again', async () => {
  const store = { history: { changes: 10, bytes: 1e8 } }
  await start({ store, limits: { bufferedBytes: 100_000, stallMs: 30_000 } })
  const socket = await stand.socket()
  socket.write(asked)
  await sleep(50)
  socket.pause()
  for (let index = 0; index < 150; index += 1) await stand.put('configmaps', large(`a${index}`))
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk
  })
  socket.resume()
  while (!text.includes('"type":"ERROR"')) await sleep(20)
  expect(text).toContain('too old resource version')
  socket.destroy()
})

test('one that is cut off while it is told what is there is told no more of it', async () => {
  await start({ limits: { answersBytes: 150_000 } })
  for (let index = 0; index < 50; index += 1) await stand.put('configmaps', large(`a${index}`))
  const { objects } = stand
  const list = objects.list.bind(objects)
  let told = 0
  objects.list = (query) => {
    const page = list(query)
    if (typeof page === 'string') return page
    const items = Object.assign([...page.items], {
      *[Symbol.iterator]() {
        for (const item of page.items) {
          told += 1
          yield item
        }
      },
    })
    return { ...page, items }
  }
  const socket = await stand.socket()
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(asked)
  socket.resume()
  await closed
  expect(told).toBeGreaterThan(0)
  expect(told).toBeLessThan(5)
})
