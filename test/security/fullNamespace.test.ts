// A namespace stores ever more. The attacker holds a token of the embedded API for it. Afterwards: its tokens store
// at most 64 MiB there, what is there can be changed and deleted, and the administrator and other namespaces store
// on.
// Before: everything was taken, until the program had no memory left, and none to start with either.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const mapsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`
const headers = { 'Content-Type': 'application/json' }

test('a token of one namespace stores so much and no more', { timeout: 30_000 }, async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const create = (token: string, name: string, namespace = 'shop') => {
    const body = { metadata: { name }, data: { text: 'x'.repeat(1_000_000) } }
    return stand.ask(mapsIn(namespace), { method: 'POST', token, body, headers })
  }
  const namespace = { metadata: { name: 'shop' } }
  await stand.ask('/api/v1/namespaces', { method: 'POST', body: namespace, headers })
  const data = { text: 'x'.repeat(11_000_000) }
  for (let made = 0; made < 6; made++) {
    await stand.put('configmaps', { metadata: { name: `m${made}`, namespace: 'shop' }, data })
  }
  expect((await create('tenant', 'last')).code).toBe(201)
  const refused = await create('tenant', 'another')
  expect(refused.json.message).toBe(
    'configmaps "another" is forbidden: exceeded quota: namespace shop would store more than 64 MiB, the most ' +
      'for tokens that are bound to it: delete objects there, or use a token that is not bound',
  )
  expect(refused.json.details).toEqual({ name: 'another', kind: 'configmaps' })
  expect((await create('admin', 'of-admin')).code).toBe(201)
  expect((await create('admin', 'elsewhere', 'default')).code).toBe(201)
  const smaller = { method: 'PUT', token: 'tenant', headers, body: { metadata: { name: 'm0' } } }
  expect((await stand.ask(`${mapsIn('shop')}/m0`, smaller)).code).toBe(200)
  const gone = await stand.ask(`${mapsIn('shop')}/m1`, { method: 'DELETE', token: 'tenant' })
  expect(gone.code).toBe(200)
  expect((await create('tenant', 'again')).code).toBe(201)
})
