import { expect, test } from 'vitest'
import type { Kind } from '../../core/model/view.ts'
import { neededKinds, whatIsMissing } from './neededKinds.ts'

const without = (...missing: readonly Kind[]) => whatIsMissing((kind) => !missing.includes(kind))

test('[R12.12] what is missing for hosts is named, with what to apply', () => {
  expect(without()).toBe('')
  expect(without('AddressBlock')).toBe(
    'the API does not serve AddressBlock, or does not let Berth use it: no host gets an address; ' +
      'apply deploy/crds',
  )
  expect(without('IPSet', 'Reservation')).toBe(
    'the API does not serve IPSet, Reservation, or does not let Berth use them: no host gets an ' +
      'address; apply deploy/openstack/crds (chart: openstack.crds) if infra-operator does not',
  )
  expect(without(...neededKinds)).toContain('NetConfig, IPSet, Reservation, AddressBlock')
})
