// Proves when MetalLB's webhook counts as there: through the API server's proxy, on a server that
// says what a test wants.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../../test/build/rawServer.ts'
import { nowhere } from '../../../../../test/build/terminal.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { converterAnswers } from './converterAnswers.ts'
import type { Walk } from './walk.ts'

const service = { name: 'hook', namespace: 'lb', path: '/convert' }
const conversion = new Fields({ webhook: { clientConfig: { service } } }, [])

async function asked(answer: (response: ServerResponse) => void): Promise<string> {
  const server = await rawServer((_, response) => answer(response))
  const api = apiTo(server)
  const walk: Walk = {
    ...{ api, direct: api, io: nowhere, namespace: 'lb', withinMs: 0, settleMs: 0 },
    ...{ asksWire: false, acceptsDownPeers: false, programs: { kubectl: '', helm: '' } },
  }
  const why = await converterAnswers(walk, conversion).then(
    () => '',
    (error: Error) => error.message,
  )
  const path = '/api/v1/namespaces/lb/services/https%3Ahook%3A443/proxy/convert'
  expect(server.asked.map((one) => one.path)).toEqual([path])
  return why
}

const text = (response: ServerResponse, code: number): void => {
  response.writeHead(code, { 'Content-Type': 'text/plain' }).end('what?')
}
test.each([
  ['with an error of its own', (response: ServerResponse) => text(response, 400)],
  ['with something that is no JSON', (response: ServerResponse) => text(response, 200)],
  ['with JSON', (response: ServerResponse) => sendJson(response, {})],
])('[R14.5] it is there once it answers %s', async (_, answer) => {
  expect(await asked(answer)).toBe('')
})

test.each([
  ['the connection breaks', (response: ServerResponse) => void response.socket?.destroy()],
  ['the proxy does not reach it', (response: ServerResponse) => sendJson(response, {}, 503)],
  ['the API server is busy', (response: ServerResponse) => sendJson(response, {}, 429)],
])('[R14.5] it is waited for while %s', async (_, answer) => {
  expect(await asked(answer)).toContain("MetalLB's webhook lb/hook does not answer")
})

test('[R14.5] whoever may not ask is told what it needs', async () => {
  const why = await asked((response) => sendJson(response, {}, 403))
  expect(why).toContain(
    "MetalLB's webhook lb/hook cannot be asked, which needs get on services/proxy",
  )
})
