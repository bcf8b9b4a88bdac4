import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Keys, renewed, trustOf } from './keys.ts'

const names = ['localhost', '127.0.0.1']
const start = new Date('2026-01-01T00:00:00Z')
const after = (years: number) => new Date(start.getTime() + years * 365 * 24 * 3_600_000)
const first: Keys = await renewed(undefined, names, start)

test('client and server are signed by the one authority, the client as an administrator', () => {
  const [authority] = first.authorities
  const ca = new X509Certificate(authority?.cert ?? '')
  for (const { cert } of [first.server, first.admin]) {
    expect(new X509Certificate(cert).verify(ca.publicKey)).toBe(true)
  }
  expect(new X509Certificate(first.admin.cert).subject).toBe('CN=berth-admin\nO=system:masters')
  expect(new X509Certificate(first.server.cert).checkIP('127.0.0.1')).toBe('127.0.0.1')
})

test('what is good for long is kept as it is', async () => {
  expect(await renewed(first, names, after(0.5))).toEqual(first)
})

test('under another name the server is issued anew, the client is not', async () => {
  const moved = await renewed(first, [...names, '192.0.2.1'], start)
  expect(new X509Certificate(moved.server.cert).checkIP('192.0.2.1')).toBe('192.0.2.1')
  expect(moved.admin).toEqual(first.admin)
})

test('certificates are renewed before they end, by the same authority', async () => {
  const later = await renewed(first, names, after(0.8))
  expect(later.authorities).toEqual(first.authorities)
  expect(later.server).not.toEqual(first.server)
  expect(later.admin).not.toEqual(first.admin)
})

test('the next authority is trusted for a year before it signs, the last one until it ends', async () => {
  const announced = await renewed(first, names, after(8.5))
  const [old, next] = announced.authorities
  expect(announced.authorities).toHaveLength(2)
  const signs = (keys: Keys, cert = '') =>
    new X509Certificate(keys.server.cert).verify(new X509Certificate(cert).publicKey)
  expect(signs(announced, old?.cert)).toBe(true)
  const changed = await renewed(announced, names, after(9.2))
  expect(signs(changed, next?.cert)).toBe(true)
  expect(trustOf(changed)).toBe(trustOf(announced))
  expect((await renewed(changed, names, after(10.5))).authorities).toEqual([next])
})

const isGoodAt = ({ server, admin, controller }: Keys, now: Date): boolean =>
  [server, admin, controller]
    .map(({ cert }) => new X509Certificate(cert))
    .every(({ validFromDate, validToDate }) => validFromDate <= now && now < validToDate)

test('a clock that was ahead for a while has made certificates that are not used before they begin', async () => {
  const ahead = await renewed(first, names, after(0.9))
  expect(isGoodAt(ahead, start)).toBe(false)
  const back = await renewed(ahead, names, start)
  expect(isGoodAt(back, start)).toBe(true)
  expect(trustOf(back)).toBe(trustOf(first))
  const farAhead = await renewed(first, names, after(20))
  expect(isGoodAt(await renewed(farAhead, names, start), start)).toBe(true)
})

test('a clock that begins in 1970 and is set later takes nothing from copies of the kubeconfig', async () => {
  const early = new Date('1970-01-01T00:01:00Z')
  const then = await renewed(first, names, early)
  expect(isGoodAt(then, early)).toBe(true)
  const set = await renewed(then, names, start)
  expect(isGoodAt(set, start)).toBe(true)
  expect(trustOf(set)).toBe(trustOf(first))
})
