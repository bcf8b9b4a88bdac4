import { expect, test } from 'vitest'
import { addressRecord } from '../../../test/build/addressRecord.ts'
import type { AddressView } from './address.ts'
import { ViewStore } from './viewStore.ts'

const holder = (name: string, uid: string) => ({
  kind: 'Service',
  namespace: 'ns',
  name,
  uid,
  ports: ['TCP/80'],
  backend: '',
})
const address = (text: string, ...holders: AddressView['holders']) =>
  addressRecord(text, { uid: `uid-of-${text}`, pool: 'p', holders })
const claimed = (views: ViewStore, name: string, uid: string) =>
  views.claimsOf({ key: `ns/${name}`, uid }).map(({ address: { name } }) => name)

test('[R3.10] an Address counts for the Service that it names, not for a later namesake', () => {
  const views = new ViewStore()
  views.put(address('fd00::1', holder('a', '1')))
  views.put(address('10.0.0.1', holder('a', '1'), holder('b', '2')))
  expect(claimed(views, 'a', '1')).toEqual(['10.0.0.1', 'fd00::1'])
  expect(claimed(views, 'b', '2')).toEqual(['10.0.0.1'])
  expect(claimed(views, 'a', '2')).toEqual([])
  views.put(address('10.0.0.1', holder('b', '2')))
  expect(claimed(views, 'a', '1')).toEqual(['fd00::1'])
  views.delete('Address', 'fd00::1')
  expect(claimed(views, 'a', '1')).toEqual([])
})
