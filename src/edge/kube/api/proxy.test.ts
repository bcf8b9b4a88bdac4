import { expect, test } from 'vitest'
import { Fault } from './fault.ts'
import { parseProxy, proxyFor } from './proxy.ts'

type Case = { server: string; no?: string; env?: Record<string, string>; proxied: boolean }
const cases: Case[] = [
  { server: 'https://api.example.com', proxied: true },
  { server: 'http://api.example.com', proxied: false },
  { server: 'http://api.example.com', env: { http_proxy: 'proxy:3128' }, proxied: true },
  { server: 'https://localhost:6443', proxied: false },
  { server: 'https://127.1.2.3:6443', proxied: false },
  { server: 'https://[::1]:6443', proxied: false },
  { server: 'https://api.example.com', no: '*', proxied: false },
  { server: 'https://api.example.com', no: 'example.com', proxied: false },
  { server: 'https://example.com', no: 'example.com', proxied: false },
  { server: 'https://example.com', no: '.example.com', proxied: true },
  { server: 'https://example.com', no: '*.example.com', proxied: true },
  { server: 'https://api.example.com', no: '.example.com', proxied: false },
  { server: 'https://api.example.com', no: '*.example.com', proxied: false },
  { server: 'https://notexample.com', no: 'example.com', proxied: true },
  { server: 'https://api.example.com', no: ' , EXAMPLE.com ,', proxied: false },
  { server: 'https://api.example.com:6443', no: 'example.com:6443', proxied: false },
  { server: 'https://api.example.com:6443', no: 'example.com:443', proxied: true },
  { server: 'https://api.example.com', no: 'example.com:443', proxied: false },
  { server: 'https://10.96.0.1', no: '10.96.0.0/12', proxied: false },
  { server: 'https://10.112.0.1', no: '10.96.0.0/12', proxied: true },
  { server: 'https://10.96.0.1', no: '10.96.0.1', proxied: false },
  { server: 'https://10.96.0.1:6443', no: '10.96.0.1:6443', proxied: false },
  { server: 'https://10.96.0.1:6443', no: '10.96.0.1:443', proxied: true },
  { server: 'https://10.96.0.1', no: '10.96.0.0/99,10.96.0.0/x', proxied: true },
  { server: 'https://[fd00::1]:6443', no: 'fd00::/8', proxied: false },
  { server: 'https://[fd00::1]:6443', no: '[fd00::1]:6443', proxied: false },
  { server: 'https://[fd00::1]:6443', no: '10.0.0.0/8', proxied: true },
]

test.each(cases)('$server with NO_PROXY=$no: $proxied', ({ server, no, env, proxied }) => {
  const variables = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: no, ...env }
  const proxy = proxyFor(new URL(server), variables)
  expect(proxy?.host).toBe(proxied ? 'proxy:3128' : undefined)
})

test('without a variable there is no proxy; lower case counts too', () => {
  const server = new URL('https://api.example.com')
  expect(proxyFor(server, {})).toBeUndefined()
  expect(proxyFor(server, { https_proxy: 'https://proxy' })?.protocol).toBe('https:')
  const env = { https_proxy: 'proxy:1', no_proxy: 'example.com' }
  expect(proxyFor(server, env)).toBeUndefined()
})

test.each(['socks5://proxy:1080', 'http://', 'proxy:port'])('%s is refused', (text) => {
  expect(() => parseProxy(text, 'HTTPS_PROXY')).toThrow(Fault)
})
