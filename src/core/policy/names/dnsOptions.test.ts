import { expect, test } from 'vitest'
import { dividedOptions } from './dnsOptions.ts'

test.each([
  'server=192.0.2.1',
  'server=192.0.2.1#5353',
  'server=/corp.test/example.com/2001:db8::1',
  'server=/corp.test/',
  'rev-server=10.0.0.0/8,192.0.2.1',
  'rev-server=192.0.2.0/24,192.0.2.1#53',
  'rev-server=192.0.2.9/32,192.0.2.1',
  'rev-server=2001:db8::/36,192.0.2.1',
])('[R13.4] %s can change while dnsmasq runs', (line) => {
  expect(dividedOptions(`${line}\n`)).toEqual({ servers: `${line}\n`, others: '' })
})

test.each([
  'server=192.0.2.256',
  'server=192.0.2.1@eth0',
  // dnsmasq before 2.87 takes whole octets, and divides no digit of IPv6.
  'rev-server=10.0.0.0/12,192.0.2.1',
  'rev-server=192.0.2.0/25,192.0.2.1',
  'rev-server=192.0.2.0/31,192.0.2.1',
  'rev-server=2001:db8::/33,192.0.2.1',
  'rev-server=2001:db8::/127,192.0.2.1',
])('[R13.4] %s is tested with the other options', (line) => {
  expect(dividedOptions(`${line}\n`)).toEqual({ servers: '', others: `${line}\n` })
})
