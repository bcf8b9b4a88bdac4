// A token becomes more than it is. The attacker holds a token of `berth up` with full access, or one
// that is bound to a namespace. Afterwards: only the certificate in the data folder is the administrator
// of the machine, and every token that is accepted is listed and can be revoked.
// Before: any file of the machine could be overwritten, and forged tokens outlived those that were
// revoked.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonOf, shippedDefinitions } from '../../src/app/up/definitions.ts'
import { newToken } from '../../src/app/up/tokens.ts'
import { tokenTable } from '../../src/app/up/tokenTable.ts'
import { upStand } from './upStand.ts'

const secrets = '/api/v1/namespaces/kube-system/secrets'
const full = { isReadOnly: false } as const

test.each(['berth-admin', 'berth-controller', 'system:admin'])(
  'a Secret that makes its token %s lets nobody in',
  async (user) => {
    const { ask, token, folder } = await upStand()
    const held = await token(full)
    const { text, secret } = newToken({ ...full, user })
    expect((await ask({ token: held, method: 'POST', path: secrets, body: secret })).code).toBe(201)
    const file = join(folder, 'stolen.db')
    const backup = { method: 'POST', path: `/berth/backup?file=${file}` } as const
    expect((await ask({ ...backup, token: text })).code).toBe(401)
    expect((await ask({ ...backup, token: held })).code).toBe(403)
    const headers = { 'Impersonate-User': 'berth-admin', 'Impersonate-Group': 'system:masters' }
    expect((await ask({ ...backup, token: held, headers })).code).toBe(403)
    expect(existsSync(file)).toBe(false)
    expect((await ask({ ...backup, pair: 'admin' })).code).toBe(200)
  },
)

test('a forged token that is not in the list lets nobody in', async () => {
  const { ask, token } = await upStand()
  const held = await token(full)
  const { text, secret } = newToken(full)
  const metadata = { ...(secret['metadata'] as object), labels: {} }
  const forged = { ...secret, metadata }
  expect((await ask({ token: held, method: 'POST', path: secrets, body: forged })).code).toBe(201)
  expect((await ask({ token: text, path: secrets })).code).toBe(401)
  const listed = await ask({ token: held, path: `${secrets}?labelSelector=berth.dev/token` })
  expect(tokenTable(Object(listed.json).items, new Date()).split('\n')).toHaveLength(3)
})

test('nothing is left of the tokens once all that are listed are removed', async () => {
  const { ask, token } = await upStand()
  const held = await token(full)
  const other = newToken({ ...full, user: 'dora' })
  const labels = { 'berth.dev/token': '0123456789' }
  const metadata = { ...(other.secret['metadata'] as object), labels }
  const forged = { ...other.secret, metadata }
  await ask({ token: held, method: 'POST', path: secrets, body: forged })
  expect((await ask({ token: other.text, path: secrets })).code).toBe(401)
  const path = `${secrets}?labelSelector=berth.dev/token`
  expect((await ask({ pair: 'admin', method: 'DELETE', path })).code).toBe(200)
  for (const text of [held, other.text]) expect((await ask({ token: text, path })).code).toBe(401)
})

test('the token of a namespace does not reach one that is made later under its name', async () => {
  const { ask, token, uidOf } = await upStand()
  const namespaces = '/api/v1/namespaces'
  const body = { metadata: { name: 'shop' } }
  await ask({ pair: 'admin', method: 'POST', path: namespaces, body })
  const bound = { namespace: 'shop', namespaceUid: await uidOf('shop') }
  const held = await token({ ...full, ...bound })
  const path = `${namespaces}/shop/secrets`
  expect((await ask({ token: held, path })).code).toBe(200)
  await ask({ pair: 'admin', method: 'DELETE', path: `${namespaces}/shop` })
  await expect
    .poll(async () => (await ask({ pair: 'admin', path: `${namespaces}/shop` })).code)
    .toBe(404)
  expect((await ask({ token: held, path })).code).toBe(401)
  await ask({ pair: 'admin', method: 'POST', path: namespaces, body })
  expect((await ask({ token: held, path })).code).toBe(401)
})

test('who acts as our controller is validated like anybody', async () => {
  const { ask, token } = await upStand()
  const held = await token(full)
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const pools = shippedDefinitions().find(({ name }) => name === 'ipaddresspools.metallb.io')
  const crd = pools && jsonOf(pools)
  await ask({ pair: 'admin', method: 'POST', path: definitions, body: crd })
  const namespace = { metadata: { name: 'metallb-system' } }
  await ask({ pair: 'admin', method: 'POST', path: '/api/v1/namespaces', body: namespace })
  const path = '/apis/metallb.io/v1beta1/namespaces/metallb-system/ipaddresspools'
  const headers = { 'Impersonate-User': 'berth-controller', 'Impersonate-Group': 'system:masters' }
  const body = {
    ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata: { name: 'bad' } },
    spec: { addresses: ['10.0.0.9-10.0.0.1'] },
  }
  const write = { method: 'POST', path, body } as const
  expect((await ask({ ...write, token: held })).code).toBe(403)
  expect((await ask({ ...write, token: held, headers })).code).toBe(403)
  expect((await ask({ ...write, pair: 'controller' })).code).toBe(201)
})
