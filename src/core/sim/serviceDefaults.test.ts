import { expect, test } from 'vitest'
import { withServiceDefaults } from './serviceDefaults.ts'

const four = '10.96.0.7'
const six = 'fd00:10:96::7'

test.each([
  ['a second family is added', { ipFamilyPolicy: 'PreferDualStack' }, [four, 'fd00:10:96::9']],
  ['a family that is named comes first', { ipFamilies: ['IPv6'] }, ['fd00:10:96::9']],
  ['two families need both', { ipFamilies: ['IPv4', 'IPv6'] }, [four, 'fd00:10:96::9']],
  ['what is given is kept', { clusterIPs: ['10.1.1.1'] }, ['10.1.1.1']],
])('the cluster IPs follow the manifest: %s', (_, spec, clusterIPs) => {
  const manifest = { spec: { type: 'LoadBalancer', ...spec } }
  const merged = { spec: { clusterIPs: [four], ipFamilies: ['IPv4'], ...manifest.spec } }
  expect(withServiceDefaults(merged, 9, manifest)['spec']).toMatchObject({ clusterIPs })
})

test('the second family goes when the manifest no longer wants it, the first stays', () => {
  const manifest = { spec: { type: 'LoadBalancer' } }
  const spec = { ...manifest.spec, clusterIPs: [six, four], ipFamilyPolicy: 'RequireDualStack' }
  expect(withServiceDefaults({ spec }, 9, manifest)['spec']).toMatchObject({
    clusterIPs: [six],
    ipFamilies: ['IPv6'],
    ipFamilyPolicy: 'SingleStack',
  })
})

test('a write without a manifest changes no cluster IP', () => {
  const spec = { type: 'LoadBalancer', clusterIPs: [four], ipFamilyPolicy: 'PreferDualStack' }
  expect(withServiceDefaults({ spec }, 9)['spec']).toEqual(spec)
})
