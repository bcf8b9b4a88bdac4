import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import { berth, folderOf } from '../../../../test/build/terminal.ts'
import { askedAgain } from './askedAgain.ts'

/** An API server that answers so the first time, and is well afterwards. */
async function serving(answerFirst: (response: ServerResponse) => void) {
  const asked = new Map<string, number>()
  const server = createServer(({ url = '' }, response) => {
    const times = (asked.get(url) ?? 0) + 1
    asked.set(url, times)
    response.setHeader('Content-Type', 'application/json')
    if (times === 1) return answerFirst(response)
    return response.end(
      JSON.stringify({ kind: 'List', metadata: { resourceVersion: '1' }, items: [] }),
    )
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const kubeconfig = `${folderOf({
    config: `apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: 'http://127.0.0.1:${port}'}}]
users: [{name: me, user: {token: x}}]
contexts: [{name: here, context: {cluster: here, user: me}}]
current-context: here
`,
  })}/config`
  return { asked, kubeconfig }
}

const status = (code: number, message: string) =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message })

test('a server that is too busy is asked again when it says', async () => {
  const { asked, kubeconfig } = await serving((response) => {
    response.writeHead(429, { 'Retry-After': '1' }).end(status(429, 'too many requests'))
  })
  const { exit, err } = await berth(['lint', '--live', '--kubeconfig', kubeconfig])
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  expect(new Set(asked.values())).toEqual(new Set([2]))
})

test('a server that does not say when is believed at once', async () => {
  const { asked, kubeconfig } = await serving((response) => {
    response.writeHead(500).end(status(500, 'etcd is on fire'))
  })
  const { exit, err } = await berth(['lint', '--live', '--kubeconfig', kubeconfig])
  expect(exit).toBe(1)
  expect(err).toContain('etcd is on fire')
  expect(new Set(asked.values())).toEqual(new Set([1]))
})

test('a write that may have been made is not sent twice, and none after an interrupt', async () => {
  const interrupt = new AbortController()
  const codes = [500, 503]
  const server = await rawServer((_, response, count) => {
    interrupt.abort()
    response.setHeader('Retry-After', '1')
    sendJson(response, {}, codes[count] ?? 200)
  })
  const api = askedAgain(apiTo(server), { err: () => undefined, signal: interrupt.signal })
  const write = { method: 'POST', path: '/api/v1/namespaces' } as const
  await expect(api.call(write)).rejects.toThrow('500')
  await expect(api.call(write)).rejects.toThrow('503')
  expect(server.asked).toHaveLength(2)
})
