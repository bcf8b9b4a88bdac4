// Proves which password a peer has, and how often it is read: from the embedded API, and from a
// server that can be away where the API is.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { clientTo } from '../../../../test/build/apiClient.ts'
import { ApiStand } from '../../../../test/build/apiStand.ts'
import { shipped } from '../../../../test/build/writesStand.ts'
import { type Api, newApi } from '../../../edge/kube/api/client.ts'
import { writtenCredentials } from '../../../edge/kube/api/credentials.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { PeerKeys } from './peerKeys.ts'
import { passwordOf } from './peerPlan.ts'

const secretPath = '/api/v1/namespaces/metallb-system/secrets/router'
const inSecret = { name: 'tor', password: 'secret', secret: 'router' } as const

let server: Server
let api: Api
let asked: string[] = []
let answer: { code: number; body: unknown }
let clock = { ms: 0, nodes: 3 }

const secret = (password: string, type = 'kubernetes.io/basic-auth') => ({
  code: 200,
  body: { type, data: { password: Buffer.from(password).toString('base64') } },
})

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

const newKeys = (of = api) =>
  new PeerKeys(of, {
    ...{ namespace: 'metallb-system', nowMs: () => clock.ms, random: () => 0 },
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

const peers = '/apis/metallb.io/v1beta2/namespaces/metallb-system/bgppeers'

/** BGPPeers in the store, and what of them a speaker's watch says. */
async function stored() {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const send = async (method: string, path: string, body?: unknown) => {
    const { code, json, text } = await stand.ask(path, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': typeOf(method) } }),
    })
    expect(code, text).toBeLessThan(300)
    return json
  }
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const json of shipped('crds')) await send('POST', definitions, json)
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'metallb-system' } })
  const spec = { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1' }
  const client = clientTo(stand.api.port)
  let held: { given: () => void; released: Promise<void> } | undefined
  const reads = { count: 0 }
  return {
    reads,
    create: async (password: string) =>
      planIn(
        await send('POST', peers, {
          ...{ apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer' },
          ...{ metadata: { name: 'tor' }, spec: { ...spec, password } },
        }),
      ),
    edit: async (password: string) =>
      planIn(await send('PATCH', `${peers}/tor`, { spec: { password } })),
    label: async () =>
      planIn(await send('PATCH', `${peers}/tor`, { metadata: { labels: { x: 'y' } } })),
    remove: () => send('DELETE', `${peers}/tor`),
    /** The next answer stays on its way, once it has been given, until it is released. */
    hold() {
      const [given, released] = [newGate(), newGate()]
      held = { given: given.open, released: released.opened }
      return { given: given.opened, release: released.open }
    },
    keys: newKeys({
      ...client,
      async call(request) {
        reads.count++
        const now = held
        held = undefined
        const answer = await client.call(request)
        now?.given()
        await now?.released
        return answer
      },
    }),
  }
}

function newGate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const typeOf = (method: string): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'

function planIn(json: unknown) {
  const read = decode(json)
  if (read.kind !== 'view' || read.view.kind !== 'BGPPeer') throw new Error('it is a BGPPeer')
  return passwordOf(read.view)
}

test('one in the BGPPeer is read again once that is edited, and not before', async () => {
  const { create, edit, label, keys, reads } = await stored()
  const plan = await create('one')
  for (clock.ms = 0; clock.ms < 600_000; clock.ms += 5_000) {
    expect(textOf(await keys.keyOf(plan, 'recently'))).toBe('one')
  }
  expect(textOf(await keys.keyOf(await label()))).toBe('one')
  expect(reads.count).toBe(1)
  expect(textOf(await keys.keyOf(await edit('two'), 'recently'))).toBe('two')
  expect(reads.count).toBe(2)
})

test('a BGPPeer that is deleted and created anew has its new password', async () => {
  const { create, remove, keys } = await stored()
  expect(textOf(await keys.keyOf(await create('one')))).toBe('one')
  await remove()
  expect(textOf(await keys.keyOf(await create('two'), 'recently'))).toBe('two')
})

test('a BGPPeer that changes while it is read has its new password', async () => {
  const { create, edit, hold, keys } = await stored()
  const [before, { given, release }] = [await create('one'), hold()]
  const slow = keys.keyOf(before)
  await given
  const after = await edit('two')
  expect(textOf(await keys.keyOf(after))).toBe('two')
  release()
  expect(textOf(await slow)).toBe('two')
  expect(textOf(await keys.keyOf(after))).toBe('two')
})

test('an answer that is older than the change is read again', async () => {
  const { create, edit, hold, keys, reads } = await stored()
  const [before, { given, release }] = [await create('one'), hold()]
  const slow = keys.keyOf(before)
  await given
  const after = await edit('two')
  release()
  expect(textOf(await slow)).toBe('one')
  expect(textOf(await keys.keyOf(after, 'recently'))).toBe('two')
  expect(reads.count).toBe(2)
})

test('an answer that is newer than the watch is not read all the time', async () => {
  const { create, edit, keys, reads } = await stored()
  const [behind, newest] = [await create('one'), await edit('two')]
  for (let times = 0; times < 10; times++) {
    expect(textOf(await keys.keyOf(behind, 'recently'))).toBe('two')
  }
  expect(textOf(await keys.keyOf(newest))).toBe('two')
  expect(reads.count).toBe(1)
})

test('what is known of a peer that is gone is forgotten', async () => {
  const { create, keys, reads } = await stored()
  const plan = await create('one')
  await keys.keyOf(plan)
  keys.keep([plan])
  await keys.keyOf(plan)
  expect(reads.count).toBe(1)
  keys.keep([])
  await keys.keyOf(plan)
  expect(reads.count).toBe(2)
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
