import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldError } from '../../../core/model/admission.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { decode } from './decode.ts'
import { Fields } from './fields.ts'

const read = (json: unknown) => {
  const errors: FieldError[] = []
  return { fields: new Fields(json, errors), errors }
}

test.each([undefined, null, 7, 'text', [], [{ a: 1 }]])('%j has no fields', (json) => {
  const { fields } = read(json)
  expect(fields.names()).toEqual([])
  expect(fields.has('a')).toBe(false)
  expect(fields.inner('a').each('b')).toEqual([])
})

test('a value of another type reads as absent', () => {
  const { fields } = read({ text: 1, number: 'x', flag: 'true', list: {}, map: { a: 1, b: 'c' } })
  expect(fields.text('text')).toBe('')
  expect(fields.number('number')).toBeUndefined()
  expect(fields.flag('flag')).toBeUndefined()
  expect(fields.texts('list')).toEqual([])
  expect(fields.labels('map')).toEqual({ b: 'c' })
})

test('a label exists only if it is written', () => {
  const labels = read({ labels: { app: 'web' } }).fields.labels('labels')
  expect([labels['app'], labels['constructor']]).toEqual(['web', undefined])
})

test('an invalid value is refused with its path, or skipped in objects that are not ours', () => {
  const { fields, errors } = read({
    spec: { one: 'x', list: ['10.0.0.1', 'y', 3], nets: [{}, { ip: 'z' }], empty: '' },
  })
  const spec = fields.inner('spec')
  expect(spec.parse('one', parseIp)).toBeUndefined()
  expect(spec.parse('empty', parseIp)).toBeUndefined()
  expect(spec.parseEach('list', parseIp)).toEqual(['10.0.0.1'])
  expect(spec.each('nets').map((net) => net.parse('ip', parseIp))).toEqual([undefined, undefined])
  expect(spec.parseIf('one', parseIp)).toBeUndefined()
  expect(spec.parseEachIf('list', parseIp)).toEqual(['10.0.0.1'])
  expect(errors).toEqual([
    { path: 'spec.one', message: 'Invalid value: "x" is not an address' },
    { path: 'spec.list[1]', message: 'Invalid value: "y" is not an address' },
    { path: 'spec.nets[1].ip', message: 'Invalid value: "z" is not an address' },
  ])
})

const kinds = [
  ['metallb.io/v1beta1', 'IPAddressPool'],
  ['metallb.io/v1beta2', 'BGPPeer'],
  ['berth.dev/v1alpha1', 'Tenant'],
  ['berth.dev/v1alpha1', 'Address'],
  ['v1', 'Service'],
  ['v1', 'Node'],
  ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'],
  ['nmstate.io/v1', 'NodeNetworkConfigurationPolicy'],
  ['network.openstack.org/v1beta1', 'NetConfig'],
] as const

test('[P6] no object throws', () => {
  const objects = fc.record({ kind: fc.constantFrom(...kinds), rest: fc.object({ maxDepth: 4 }) })
  fc.assert(
    fc.property(objects, fc.jsonValue(), ({ kind: [apiVersion, kind], rest }, spec) => {
      decode({ ...rest, spec, apiVersion, kind })
      decode({ ...rest, apiVersion, kind, metadata: rest, spec: { config: JSON.stringify(spec) } })
    }),
  )
})
