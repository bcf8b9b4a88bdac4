import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { apiTo, rawServer, type Script } from '../../../../test/build/rawServer.ts'
import { Fault } from './fault.ts'
import { listPages } from './listPages.ts'

const services = { group: '', version: 'v1', plural: 'services' }
const metadata = '"metadata":{"resourceVersion":"7"}'
const head = `"kind":"ServiceList","apiVersion":"v1",${metadata}`
const named = (name: string) => ({ kind: 'Service', apiVersion: 'v1', name })

async function reading(script: Script) {
  const api = apiTo(await rawServer(script))
  onTestFinished(() => api.close())
  return listPages(api, services, new AbortController().signal)
}

function begin(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write(text)
}

async function all(text: string) {
  const [read, versions]: [unknown[], string[]] = [[], []]
  const pages = await reading((_, response) => response.end(begin(response, text)))
  for await (const { items, resourceVersion } of pages) {
    read.push(...items)
    versions.push(resourceVersion)
  }
  return { items: read, version: versions.at(-1) }
}

/** Of the next bytes that have come. */
async function next(pages: ReturnType<typeof listPages>) {
  const { value } = await pages.next()
  return [...(value?.items ?? [])]
}

test('an object is there before the rest of its page has come', async () => {
  let finish: () => void = () => undefined
  const pages = await reading((_, response) => {
    begin(response, `{${head},"items":[{"name":"a"},{"name":`)
    finish = () => response.end('"b"}]}')
  })
  expect(await next(pages)).toEqual([named('a')])
  finish()
  expect(await next(pages)).toEqual([named('b')])
  expect((await pages.next()).value).toEqual({ items: [], resourceVersion: '7' })
  expect((await pages.next()).done).toBe(true)
})

test.each([
  { order: 'before the items', text: `{${head},"items":[{"name":"a"}]}` },
  { order: 'after the items', text: `{"items":[{"name":"a"}],${head}}` },
  { order: 'around the items', text: `{"apiVersion":"v1","items":[{"name":"a"}],${head}}` },
])('objects of a core list have its type, which stands $order', async ({ text }) => {
  expect(await all(text)).toEqual({ items: [named('a')], version: '7' })
})

test.each([`{${head}}`, `{${head},"items":null}`, `{${head},"items":[]}`])(
  '%s is an empty list',
  async (text) => {
    expect(await all(text)).toEqual({ items: [], version: '7' })
  },
)

test('[P6] what breaks off in the middle is a Fault, after the objects that had come', async () => {
  const pages = await reading((_, response) => {
    begin(response, `{${head},"items":[{"name":"a"},{"name":`)
    setImmediate(() => response.destroy())
  })
  expect(await next(pages)).toEqual([named('a')])
  await expect(pages.next()).rejects.toThrow(Fault)
})

test.each([
  `{"kind":"Service","apiVersion":"v1",${metadata},"items":[{"name":"a"}]}`,
  `{"kind":"ServiceList","apiVersion":"v1","items":[]}`,
  `{${metadata},"items":[{"name":"a"}]}`,
  '[]',
  `{${head},"items":{"a":{"name":"a"}}}`,
  `{${head},"items":"a"}`,
  `{${head},"items":[],"items":[{"name":"a"}]}`,
  `{${head},"\\u0069tems":[{"name":"a"}]}`,
])('[P6] %s is not a list', async (text) => {
  await expect(all(text)).rejects.toThrow('GET /api/v1/services: the answer is not a list')
})
