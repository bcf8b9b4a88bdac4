import { expect, test } from 'vitest'
import { service, worldOf } from '../../../test/build/announcing.ts'
import type { ServiceView } from '../model/service.ts'
import { requestOf } from './addressRequest.ts'

type Case = {
  rule: string
  given: Partial<ServiceView>
  asked?: string[]
  flaw?: string
  isUnreadable?: boolean
}
const dual = { clusterFamilies: ['IPv6', 'IPv4'], familyPolicy: 'RequireDualStack' } as const
const cases: Case[] = [
  { rule: 'M2.1', given: {}, asked: [] },
  { rule: 'M2.1', given: { asksByAnnotation: ' 10.0.0.1 ' }, asked: ['10.0.0.1'] },
  { rule: 'M2.2', given: { asksByField: '10.0.0.1' }, asked: ['10.0.0.1'] },
  {
    rule: 'M2.1',
    given: { ...dual, asksByAnnotation: '10.0.0.1, fd00::1' },
    asked: ['10.0.0.1', 'fd00::1'],
  },
  { rule: 'M2.1', given: { asksByAnnotation: 'web' }, flaw: 'address-invalid', isUnreadable: true },
  {
    rule: 'M2.1',
    given: { asksByAnnotation: '10.0.0.1,' },
    flaw: 'address-invalid',
    isUnreadable: true,
  },
  {
    rule: 'M2.1',
    given: { ...dual, asksByAnnotation: '10.0.0.1,fd00::1,fd00::2' },
    flaw: 'address-invalid',
    isUnreadable: true,
  },
  {
    rule: 'M2.1',
    given: { asksByAnnotation: '10.0.0.1,10.0.0.2' },
    flaw: 'request-family-mismatch',
    isUnreadable: true,
  },
  {
    rule: 'M2.2',
    given: { asksByAnnotation: '10.0.0.1', asksByField: '10.0.0.1' },
    flaw: 'request-contradicts',
    isUnreadable: true,
  },
  {
    rule: 'R7',
    given: { asksByAnnotation: 'web', asksByField: '10.0.0.1' },
    flaw: 'address-invalid',
    isUnreadable: true,
  },
  { rule: 'M3.2', given: { asksByField: 'fd00::1' }, flaw: 'request-family-mismatch' },
  { rule: 'M3.2', given: { ...dual, asksByField: 'fd00::1' }, flaw: 'request-family-mismatch' },
  { rule: 'M3.3', given: { familyPolicy: 'RequireDualStack' }, flaw: 'request-family-mismatch' },
  { rule: 'M2.2', given: { clusterFamilies: [] }, flaw: 'request-family-mismatch' },
]

test.each(cases)('[$rule] $given', ({ given, asked = [], flaw, isUnreadable = false }) => {
  const view = service('web', [], given)
  const request = requestOf(worldOf(view), view)
  expect({ flaw: request.flaw?.reason, isUnreadable: request.isUnreadable }).toEqual({
    flaw,
    isUnreadable,
  })
  if (flaw === undefined) expect(request.asked).toEqual(asked)
})

test('[M3.5] families are IPv4 first, and only PreferDualStack on both is content with one', () => {
  const families = (given: Partial<ServiceView>) => {
    const view = service('web', [], given)
    const { families, takesEither } = requestOf(worldOf(view), view)
    return { families, takesEither }
  }
  const clusterFamilies = ['IPv6', 'IPv4'] as const
  const prefers = { familyPolicy: 'PreferDualStack' } as const
  expect(families({ clusterFamilies })).toEqual({ families: ['IPv4', 'IPv6'], takesEither: false })
  expect(families({ ...prefers, clusterFamilies }).takesEither).toBe(true)
  expect(families(prefers)).toEqual({ families: ['IPv4'], takesEither: false })
})
