import { expect, test } from 'vitest'
import type { ApiRequest } from '../client.ts'
import type { Connection } from '../connection.ts'
import { writtenCredentials } from '../credentials.ts'
import { Fault } from '../fault.ts'
import { commonHeaders, requestText } from './requestText.ts'

const connection: Connection = {
  server: new URL('https://example.com:6443/clusters/one/'),
  proxy: undefined,
  trust: { ca: undefined, isChecked: true, serverName: undefined },
  credentials: writtenCredentials({}),
  headers: { 'Impersonate-User': 'jane', 'Impersonate-Group': ['a', 'b'] },
  namespace: 'default',
}
const headers = commonHeaders(connection, { 'User-Agent': 'berth' })
const textOf = (request: ApiRequest, authorization?: string): string =>
  requestText({ connection, request, headers }, { authorization, certificate: undefined })

const common =
  'Host: example.com:6443\r\nUser-Agent: berth\r\nImpersonate-User: jane\r\n' +
  'Impersonate-Group: a\r\nImpersonate-Group: b\r\nAccept: application/json\r\n'

test('a read has no body', () => {
  const request = { method: 'GET', path: '/api', query: { limit: '5', continue: 'a b&c' } } as const
  expect(textOf(request, 'Bearer x')).toBe(
    'GET /clusters/one/api?limit=5&continue=a+b%26c HTTP/1.1\r\n' +
      `${common}Authorization: Bearer x\r\n\r\n`,
  )
})

test('a body is counted in bytes, and an absent one has length 0', () => {
  const patch = { method: 'PATCH', path: '/a', contentType: 'x/y', body: { ü: '€' } } as const
  const content = 'Content-Type: x/y\r\nContent-Length: 12\r\n'
  expect(textOf(patch)).toBe(`PATCH /clusters/one/a HTTP/1.1\r\n${common}${content}\r\n{"ü":"€"}`)
  expect(textOf({ method: 'DELETE', path: '/a' })).toBe(
    `DELETE /clusters/one/a HTTP/1.1\r\n${common}Content-Length: 0\r\n\r\n`,
  )
})

const refused: { name: string; ask: () => string }[] = [
  { name: 'a space in the path', ask: () => textOf({ method: 'GET', path: '/a b' }) },
  {
    name: 'a line break in the path',
    ask: () => textOf({ method: 'GET', path: '/a\r\nX: y' }),
  },
  { name: 'characters not allowed in a URL', ask: () => textOf({ method: 'GET', path: '/ä' }) },
  {
    name: 'a line break in a token',
    ask: () => textOf({ method: 'GET', path: '/' }, 'a\nX: y'),
  },
  { name: 'a line break in a header', ask: () => commonHeaders(connection, { A: 'b\r\n' }) },
]

test.each(refused)('refused: $name', ({ ask }) => {
  expect(ask).toThrow(Fault)
})
