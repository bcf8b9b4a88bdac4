// Where is it, what lint finds? Each finding has its objects, files, lines and fields.
import { expect, test } from 'vitest'
import { lint, lintText } from '../../../../test/build/linting.ts'
import { attachment, pool, service } from '../../../../test/build/lintManifests.ts'

test('one conflict is one entry in text and two findings in JSON', async () => {
  const files = {
    'attachment.yaml': attachment('15'),
    'pool.yaml': pool('lan', '192.0.2.10-192.0.2.20'),
  }
  expect(
    await lintText(Object.values(files)),
  ).toBe(`NetworkAttachmentDefinition/shop/api (-:5 spec.config)
and IPAddressPool/metallb-system/lan (-:15 spec.addresses)
  error overlap-vip-attachment
    IPAddressPool/metallb-system/lan and NetworkAttachmentDefinition/shop/api both have 192.0.2.15
    remedy: move one of the two ranges, or exclude it in the attachment

1 error, 0 warnings in 2 objects from 1 file
`)
  const { schema, findings, summary } = await lint(files)
  expect(schema).toBe('berth.dev/lint/v1')
  const message =
    'IPAddressPool/metallb-system/lan and NetworkAttachmentDefinition/shop/api both have 192.0.2.15'
  const common = {
    code: 'overlap-vip-attachment',
    severity: 'error',
    message,
    remedy: 'move one of the two ranges, or exclude it in the attachment',
  }
  expect(findings).toEqual([
    {
      ...common,
      object: 'NetworkAttachmentDefinition/shop/api',
      file: 'attachment.yaml',
      line: 5,
      field: 'spec.config',
    },
    {
      ...common,
      object: 'IPAddressPool/metallb-system/lan',
      file: 'pool.yaml',
      line: 8,
      field: 'spec.addresses',
    },
  ])
  expect(summary).toEqual({
    ...{ errors: 1, warnings: 0, objects: 2, files: 2, passedOver: {} },
    ...{ notAnnounced: 0, areAnnouncersUnknown: false },
  })
})

test('findings that only say the same are not one conflict', async () => {
  const pools = [pool('a', '192.0.2.1/32'), pool('b', '192.0.2.2/32')]
  const services = [service('one'), service('two')]
  const { findings, summary } = await lint({ 'a.yaml': [...pools, ...services].join('---\n') })
  expect(findings.map(({ code }) => code)).toEqual(['never-announced', 'never-announced'])
  expect(summary.warnings).toBe(2)
})

test('a namespace that is left out is found all the same', async () => {
  const files = {
    'attachment.yaml': attachment('15').replace(', namespace: shop', ''),
    'pool.yaml': pool('lan', '192.0.2.15/32'),
  }
  const { findings } = await lint(files)
  expect(findings[0]).toMatchObject({
    object: 'NetworkAttachmentDefinition/default/api',
    file: 'attachment.yaml',
    line: 5,
  })
})

test('a pool that a tenant makes is found at the tenant', async () => {
  const tenant = `apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: north}
spec:
  namespaces: {names: [shop]}
  networks:
  - {name: api, cidrs: [192.0.2.0/24], loadBalancer: [192.0.2.8/29], announce: None}
`
  const { findings } = await lint({
    'tenant.yaml': `# ours\n${tenant}`,
    'web.yaml': service('web'),
  })
  expect(findings).toMatchObject([
    { code: 'never-announced', object: 'IPAddressPool/metallb-system/north-api', line: 2 },
  ])
})

test('[S5] of two objects have the same name both places are told, and what is wrong with either', async () => {
  const { findings, exit } = await lint({
    'a.yaml': attachment('15'),
    'one.yaml': pool('lan', '192.0.2.15/32'),
    'two.yaml': `# the second\n${pool('lan', '198.51.100.0/24')}`,
  })
  const object = 'IPAddressPool/metallb-system/lan'
  const message =
    'two objects have the same name: the one in two.yaml:2 replaces the one in one.yaml:1'
  expect(findings.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
    'overlap-vip-attachment a.yaml:5',
    'duplicate-object one.yaml:1',
    'overlap-vip-attachment one.yaml:8',
    'duplicate-object two.yaml:2',
  ])
  expect(findings[1]).toMatchObject({ object, message, severity: 'error' })
  expect(findings[3]).toMatchObject({ object, message, severity: 'error' })
  expect(exit).toBe(2)
})
