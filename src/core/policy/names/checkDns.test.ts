import { expect, test } from 'vitest'
import type { DnsMasq, DnsOption } from '../../model/names/dns.ts'
import { checkDnsMasq } from './checkDns.ts'

const serverWith = (options: readonly DnsOption[]): DnsMasq => ({
  kind: 'DNSMasq',
  key: 'openstack/dns',
  name: 'dns',
  namespace: 'openstack',
  uid: 'u',
  createdAt: '',
  generation: 1,
  isGoing: false,
  finalizers: [],
  selects: 'dnsdata',
  replicas: 1,
  options,
  image: '',
  nodeSelector: {},
  topology: undefined,
  override: { labels: {}, annotations: {}, spec: {} },
  unread: [],
  status: { conditions: [], fields: {} },
})
const limit = 200 * 1024
const key = 'txt-record'
/** As a line, of so many bytes. */
const text = (bytes: number): DnsOption => ({
  key,
  values: ['x'.repeat(bytes - `${key}=\n`.length)],
})
const tooLong = [
  { path: 'spec.options', message: 'Too long: may not be more than 204800 bytes, without servers' },
]

test('[R13.3] options that fit into no annotation are refused', () => {
  expect(checkDnsMasq(serverWith([text(limit)]))).toEqual([])
  expect(checkDnsMasq(serverWith([text(limit + 1)]))).toEqual(tooLong)
  expect(checkDnsMasq(serverWith([text(limit / 2), text(limit / 2 + 1)]))).toEqual(tooLong)
  expect(checkDnsMasq(serverWith([{ key, values: ['ä'.repeat(limit / 2)] }]))).toEqual(tooLong)
})

test('[R13.3] servers do not count, which are in no annotation', () => {
  const values = (at: number) => [`/a${at}.example.com/192.0.2.1`]
  const servers = Array.from({ length: 10_000 }, (_, at) => ({ key: 'server', values: values(at) }))
  expect(checkDnsMasq(serverWith([...servers, text(limit)]))).toEqual([])
})
