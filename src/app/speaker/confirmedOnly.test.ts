// Proves what a speaker begins to announce, and that a lost record ends nothing.
import { expect, test } from 'vitest'
import { service, worldOf } from '../../../test/build/announcing.ts'
import type { AddressView } from '../../core/model/address.ts'
import type { Ip } from '../../core/net/ip.ts'
import { plainSink } from '../../edge/kube/feed/validatedSink.ts'
import { ConfirmedOnly } from './confirmedOnly.ts'

function stand() {
  const world = worldOf()
  const needed = { is: true }
  const sink = plainSink(world)
  const confirmed = new ConfirmedOnly({ world, sink, isNeeded: () => needed.is })
  const shown = (name = 'web') => world.services.get(`default/${name}`)?.ingress.join(' ')
  const put = (name: string, ips: readonly string[], uid = name) =>
    confirmed.services.put(service(name, [...ips], { uid }))
  const record = (name: string, address: string, uids: readonly string[]) =>
    confirmed.addresses.put(addressView(name, address as Ip, uids))
  return { world, confirmed, needed, shown, put, record }
}

const addressView = (name: string, address: Ip, uids: readonly string[]): AddressView => ({
  kind: 'Address',
  ...{ name, uid: '', resourceVersion: '', address, isOurs: true, reservedFor: undefined },
  ...{ note: '', pool: '', sharingKey: '' },
  holders: uids.map((uid) => ({
    ...{ kind: 'Service', namespace: 'default', name: uid, uid, ports: [], backend: '' },
  })),
})

const [four, six] = ['192.0.2.1', '2001:db8::1'] as const
const sixName = '2001-db8-0-0-0-0-0-1'

test.each([
  { of: 'an address without a record', records: [], shows: '' },
  { of: 'a recorded one', records: [['web']], shows: four },
  { of: 'one that is recorded for another', records: [['api']], shows: '' },
  { of: 'one that it shares', records: [['api', 'web']], shows: four },
  { of: 'one whose record lost it', records: [['web'], ['api']], shows: four },
])('[R8.13] $of: "$shows"', ({ records, shows }) => {
  const { confirmed, put, record, shown } = stand()
  confirmed.begin()
  put('web', [four])
  for (const uids of records) record(four, four, uids)
  expect(shown()).toBe(shows)
})

test('[R8.13] of what was listed before, what no record confirms is not begun', () => {
  const { confirmed, put, record, shown } = stand()
  put('web', [four, six])
  put('api', ['192.0.2.2'])
  record(sixName, six, ['web'])
  confirmed.begin()
  expect([shown('web'), shown('api')]).toEqual([six, ''])
  record(four, four, ['web'])
  expect(shown('web')).toBe(`${four} ${six}`)
})

test('[R8.13] what is held back is told with the addresses that no record confirms', () => {
  const { confirmed, put, record } = stand()
  const told = () =>
    confirmed.withheld.map(({ service, addresses }) => `${service.key} ${addresses.join(' ')}`)
  confirmed.begin()
  put('web', [four, six])
  record(sixName, six, ['web'])
  expect(told()).toEqual([`default/web ${four}`])
  record(four, four, ['web'])
  expect(told()).toEqual([])
})

test('[R8.13] a record that is deleted ends nothing, until the Service lets go', () => {
  const { confirmed, put, record, shown } = stand()
  confirmed.begin()
  record(four, four, ['web'])
  put('web', [four])
  confirmed.addresses.drop('Address', four)
  expect(shown()).toBe(four)
  put('web', [four, '192.0.2.9'])
  expect(shown()).toBe(four)
  put('web', [])
  put('web', [four])
  expect(shown()).toBe('')
})

test('[R8.13] another Service of the name has to be confirmed by itself', () => {
  const { confirmed, put, record, shown } = stand()
  confirmed.begin()
  record(four, four, ['old'])
  put('web', [four], 'old')
  put('web', [four], 'new')
  expect(shown()).toBe('')
  record(four, four, ['new'])
  expect(shown()).toBe(four)
})

test('[R8.13] where no Berth controller gives addresses, what is shown is announced', () => {
  const { confirmed, needed, put, shown } = stand()
  confirmed.begin()
  put('web', [four])
  needed.is = false
  confirmed.lookAgain()
  expect(shown()).toBe(four)
  needed.is = true
  confirmed.lookAgain()
  put('api', ['192.0.2.2'])
  expect([shown('web'), shown('api')]).toEqual([four, ''])
})

test('a Service that is gone is not waited for', () => {
  const { confirmed, put, record, shown } = stand()
  confirmed.begin()
  put('web', [four])
  confirmed.services.drop('Service', 'default/web')
  record(four, four, ['web'])
  expect(shown()).toBeUndefined()
})
