// Proves how often a password is read, and what counts while the API does not answer: with a server
// that answers as the API does.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Api, newApi } from '../../../edge/kube/api/client.ts'
import { writtenCredentials } from '../../../edge/kube/api/credentials.ts'
import { PeerKeys } from './peerKeys.ts'

const secretPath = '/api/v1/namespaces/metallb-system/secrets/router'
const peerPath = '/apis/metallb.io/v1beta2/namespaces/metallb-system/bgppeers/tor'
const inSecret = { name: 'tor', password: 'secret', secret: 'router' } as const
const inPeer = { name: 'tor', password: 'inline', secret: '', passwordVersion: 1 } as const

let server: Server
let api: Api
let asked: string[] = []
let answer: { code: number; body: unknown }
let clock = { ms: 0, nodes: 3 }

const secret = (password: string, type = 'kubernetes.io/basic-auth') => ({
  code: 200,
  body: { type, data: { password: Buffer.from(password).toString('base64') } },
})
const peer = (password: string) => ({ code: 200, body: { spec: { password } } })

beforeEach(async () => {
  asked = []
  clock = { ms: 0, nodes: 3 }
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(answer.code, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  api = newApi({
    ...{ server: new URL(`http://127.0.0.1:${port}`), proxy: undefined, headers: {} },
    trust: { ca: undefined, isChecked: true, serverName: undefined },
    ...{ credentials: writtenCredentials({ token: { text: 'token' } }), namespace: 'default' },
  })
})
afterEach(() => {
  api.close()
  server.close()
})

const newKeys = () =>
  new PeerKeys(api, {
    ...{ namespace: 'metallb-system', nowMs: () => clock.ms, random: () => 1 },
    nodes: () => clock.nodes,
  })
const textOf = (key: Uint8Array | undefined) => (key === undefined ? key : String(key))

test('one in a Secret is read for each attempt, and otherwise after a while', async () => {
  const keys = newKeys()
  answer = secret('one')
  expect(textOf(await keys.keyOf(inSecret))).toBe('one')
  answer = secret('two')
  clock.ms = 4_999
  expect(textOf(await keys.keyOf(inSecret, 'recently'))).toBe('one')
  expect(asked).toEqual([secretPath])
  clock.ms = 5_000
  expect(textOf(await keys.keyOf(inSecret, 'recently'))).toBe('two')
  expect(textOf(await keys.keyOf(inSecret, 'now'))).toBe('two')
  expect(asked).toHaveLength(3)
})

test.each([
  { nodes: 1, everyMs: 5_000 },
  { nodes: 100, everyMs: 5_000 },
  { nodes: 1_000, everyMs: 50_000 },
  { nodes: 5_000, everyMs: 60_000 },
])('each of $nodes nodes asks every $everyMs ms', async ({ nodes, everyMs }) => {
  const keys = newKeys()
  clock.nodes = nodes
  answer = secret('one')
  for (clock.ms = 0; clock.ms < 2 * everyMs; clock.ms += 2_500)
    await keys.keyOf(inSecret, 'recently')
  expect(asked).toHaveLength(2)
})

test('one in the BGPPeer is read again once that is another one, and not before', async () => {
  const keys = newKeys()
  answer = peer('one')
  expect(textOf(await keys.keyOf(inPeer))).toBe('one')
  for (clock.ms = 0; clock.ms < 600_000; clock.ms += 5_000) await keys.keyOf(inPeer, 'recently')
  expect(textOf(await keys.keyOf(inPeer))).toBe('one')
  expect(asked).toEqual([peerPath])
  answer = peer('two')
  expect(textOf(await keys.keyOf({ ...inPeer, passwordVersion: 2 }, 'recently'))).toBe('two')
})

test('[R8.6] while the API does not answer, the password that was read last counts', async () => {
  const keys = newKeys()
  answer = secret('one')
  await keys.keyOf(inSecret)
  answer = { code: 503, body: { kind: 'Status', message: 'away' } }
  expect(textOf(await keys.keyOf(inSecret))).toBe('one')
  await new Promise((resolve) => server.close(resolve))
  expect(textOf(await keys.keyOf(inSecret))).toBe('one')
  await expect(keys.keyOf({ ...inSecret, secret: 'other' })).rejects.toThrow()
})

test.each([
  ['is gone', { code: 404, body: { kind: 'Status', message: 'not found' } }, '404'],
  ['is of another type', secret('one', 'Opaque'), 'kubernetes.io/basic-auth'],
  ['has no password', secret(''), 'has no key password'],
  ['is too long', secret('x'.repeat(81)), 'longer than 80 bytes'],
])('a Secret that %s does not count, whatever was known', async (_, now, why) => {
  const keys = newKeys()
  answer = secret('one')
  await keys.keyOf(inSecret)
  answer = now
  await expect(keys.keyOf(inSecret)).rejects.toThrow(why)
  await expect(keys.keyOf(inSecret, 'recently')).rejects.toThrow(why)
  expect(asked).toHaveLength(2)
})
