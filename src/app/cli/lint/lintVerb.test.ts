// What does lint read, and how does it end?
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, lint, lintText, run } from '../../../../test/build/linting.ts'
import { good, otherUnknown, pool, withUnknown } from '../../../../test/build/lintManifests.ts'
import { berth } from '../../../../test/build/terminal.ts'
import { UsageError } from '../verb.ts'

test('has no findings', async () => {
  const { exit, out } = await run([folderOf(good)])
  expect(out).toBe(
    'no findings in 3 objects from 1 file\nannouncements unknown: there is no Node\n',
  )
  expect(exit).toBe(0)
})

const bomb = Array.from(
  { length: 9 },
  (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
)
const unreadable: { title: string; content: string | Uint8Array; line: number; why: RegExp }[] = [
  { title: 'malformed YAML', content: 'kind: A\nspec: [1\n', line: 2, why: /end of the document/ },
  { title: 'duplicate keys', content: 'kind: A\nkind: B\n', line: 2, why: /already set/ },
  { title: 'a binary', content: new Uint8Array([0, 159, 146, 150, 0]), line: 1, why: /UTF-8/ },
  { title: 'deep nesting', content: `a: ${'['.repeat(500)}`, line: 1, why: /nest|deep|depth/i },
  { title: 'a bomb', content: `l0: &l0 [x]\n${bomb.join('\n')}\n`, line: 1, why: /alias|large/i },
  { title: 'a huge document', content: `a: ${'x'.repeat(10_000_001)}`, line: 1, why: /MB|bytes/ },
  { title: 'no object', content: '# a list\n- 1\n', line: 2, why: /an object is expected/ },
  { title: 'no kind', content: 'apiVersion: v1\nmetadata: {}\n', line: 1, why: /kind is missing/ },
]
test.each(unreadable)('$title: told with its line, the rest still read, exit 1', async (row) => {
  const { exit, findings } = await lint({ 'bad.yaml': row.content, 'pool.yaml': withUnknown })
  expect(exit).toBe(1)
  const [bad, other] = findings
  expect(bad).toMatchObject({ code: 'unreadable', severity: 'error', file: 'bad.yaml' })
  if (row.title !== 'a bomb') expect(bad?.line).toBe(row.line)
  expect(bad?.message).toMatch(row.why)
  expect(other).toMatchObject({ code: 'unknown-field', file: 'pool.yaml', line: 8 })
})

test('tells a folder that is not there, and reads the others', async () => {
  const missing = join(folderOf({}), 'missing')
  const { exit, out } = await run([missing, folderOf(good)])
  expect(exit).toBe(1)
  expect(out).toContain(`${missing}\n  error unreadable\n    no such file or folder\n`)
  expect(out).toMatch(/^1 error, 0 warnings in 3 objects from 2 files$/m)
})

const refused: { title: string; text: string; line: number; field: string; why: RegExp }[] = [
  {
    title: 'an unknown kind of metallb.io',
    text: '\napiVersion: metallb.io/v1beta1\nkind: AddressPool\nmetadata: {name: a}\n',
    line: 2,
    field: '',
    why: /no matches for kind "AddressPool" .*: it is an IPAddressPool now, with an L2Adv/,
  },
  {
    title: 'a kind in the wrong case',
    text: 'apiVersion: metallb.io/v1beta1\nkind: BgpAdvertisement\nmetadata: {name: a}\n',
    line: 1,
    field: '',
    why: /"BgpAdvertisement" .*: it is written BGPAdvertisement$/,
  },
  {
    title: 'a version that is gone',
    text: 'apiVersion: metallb.io/v1alpha1\nkind: IPAddressPool\nmetadata: {name: a}\n',
    line: 1,
    field: '',
    why: /its version is metallb\.io\/v1beta1 now$/,
  },
  {
    title: 'an unknown kind of berth.dev',
    text: 'apiVersion: berth.dev/v1alpha1\nkind: Tenent\nmetadata: {name: a}\n',
    line: 1,
    field: '',
    why: /no matches for kind "Tenent" .*: did you mean Tenant\?$/,
  },
  {
    title: 'a wrong type',
    text: pool('lan', '192.0.2.0/24').replace('spec:', 'spec:\n  autoAssign: maybe'),
    line: 8,
    field: 'spec.autoAssign',
    why: /must be of type boolean/,
  },
  {
    title: 'a wrong address',
    text: pool('lan', '192.0.2.0/24, 192.0.2.300/32'),
    line: 8,
    field: 'spec.addresses[1]',
    why: /192\.0\.2\.300/,
  },
]
test.each(refused)('$title is invalid, with field and line', async (row) => {
  const { exit, findings } = await lint({ 'bad.yaml': row.text, 'z.yaml': otherUnknown })
  const { line, field } = row
  expect(findings[0]).toMatchObject({ code: 'invalid', severity: 'error', line, field })
  expect(findings[0]?.message).toMatch(row.why)
  expect(findings.map(({ code }) => code)).toContain('unknown-field')
  // What cannot even be read as its kind is as bad as a file that cannot be read.
  expect(exit).toBe(row.title === 'a wrong address' ? 2 : 1)
})

test('passes over and counts groups that Berth does not know', async () => {
  const other = (apiVersion: string, name: string) =>
    `apiVersion: ${apiVersion}\nkind: PodTemplate\nmetadata: {name: ${name}}\n`
  const others = [other('apps/v1', 'a'), other('v1', 'b'), other('apps/v1', 'c')]
  const { exit, summary, findings } = await lint({ ...good, 'other.yaml': others.join('---\n') })
  expect(findings).toEqual([])
  expect(summary['passedOver']).toEqual({ '': 1, apps: 2 })
  expect(exit).toBe(0)
  expect(await lintText([good['good.yaml'], ...others])).toBe(
    'no findings in 3 objects from 1 file; 3 objects of other kinds skipped ' +
      '(apps 2, core 1)\nannouncements unknown: there is no Node\n',
  )
})

test.each([
  { title: 'warnings alone', files: { 'a.yaml': withUnknown }, exit: 0, strict: 2 },
  { title: 'an error', files: { 'a.yaml': pool('lan', 'nonsense') }, exit: 2, strict: 2 },
  { title: 'a clean folder', files: good, exit: 0, strict: 0 },
  { title: 'what cannot be read', files: { 'a.yaml': 'a: [' }, exit: 1, strict: 1 },
])('exit status of $title: $exit, with --strict $strict', async ({ files, exit, strict }) => {
  expect((await run([folderOf(files)])).exit).toBe(exit)
  expect((await run([folderOf(files)], { strict: true })).exit).toBe(strict)
})

test('wants -f and nothing else', async () => {
  await expect(run([])).rejects.toThrow(UsageError)
})

test('reads standard input', async () => {
  const { exit, out } = await run(['-'], { stdin: withUnknown })
  expect(out).toContain('(-:8)\n  warning unknown-field spec.protocol\n')
  expect(exit).toBe(0)
})

test('a file that is named twice holds no duplicates', async () => {
  const folder = folderOf(good)
  const { exit, out } = await run([folder, join(folder, '.', 'good.yaml')])
  expect(out).toMatch(/^no findings/)
  expect(exit).toBe(0)
})

test.each([
  [
    'IPAddressPool',
    'protocol: layer2',
    'up to an L2Advertisement or BGPAdvertisement that names it',
  ],
  ['IPAddressPool', 'auto-assign: false', 'it is called spec.autoAssign now'],
  ['L2Advertisement', 'pools: [lan]', 'it is called spec.ipAddressPools now'],
])('a field of an older guide on %s is answered with its name: %s', async (kind, field, answer) => {
  const addresses = kind === 'IPAddressPool' ? 'addresses: [192.0.2.0/24], ' : ''
  const object = `apiVersion: metallb.io/v1beta1
kind: ${kind}
metadata: {name: lan, namespace: metallb-system}
spec: {${addresses}${field}}
`
  const { findings } = await lint({ 'old.yaml': object })
  const [found] = findings.filter(({ code }) => code === 'unknown-field')
  expect(found?.field).toBe(`spec.${field.split(':')[0]}`)
  expect(found?.message).toContain(answer)
})

test("the MetalLB Operator's own resource is passed over", async () => {
  const operator = 'apiVersion: metallb.io/v1beta1\nkind: MetalLB\nmetadata: {name: metallb}\n'
  const { exit, findings } = await lint({ ...good, 'operator.yaml': operator })
  expect([exit, findings]).toEqual([0, []])
})

test('the ConfigMap of MetalLB before 0.13 is not passed over, by lint and by plan', async () => {
  const old = `apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: metallb-system}
data:
  config: |
    address-pools:
    - {name: lan, protocol: layer2, addresses: [192.0.2.0/24]}
`
  const folder = folderOf({ 'old.yaml': old })
  const { exit, findings } = await lint({ 'old.yaml': old })
  expect(findings).toMatchObject([
    {
      code: 'old-configuration',
      severity: 'warning',
      object: 'ConfigMap/metallb-system/config',
      field: 'data.config',
      line: 4,
      fix: expect.stringMatching(/^berth migrate configmap .*old\.yaml$/),
    },
  ])
  expect(exit).toBe(0)
  const { err } = await berth(['plan', '-f', folder])
  expect(err).toContain(`old.yaml:1: ConfigMap/metallb-system/config: this is the configuration`)
  expect(err).toContain(`convert it: berth migrate configmap ${folder}/old.yaml\n`)
})

test('an AddressPool is converted, a kind in the wrong case corrected', async () => {
  const of = (kind: string) =>
    `apiVersion: metallb.io/v1beta1\nkind: ${kind}\nmetadata: {name: a}\n`
  const { findings } = await lint({ 'a.yaml': of('AddressPool'), 'b.yaml': of('BgpAdvertisement') })
  expect(findings).toMatchObject([
    { file: 'a.yaml', fix: expect.stringMatching(/^berth migrate addresspools .*a\.yaml$/) },
    { file: 'b.yaml', remedy: 'correct the kind or the apiVersion' },
  ])
})

test('a mistyped field, annotation or kind is answered with the one that is meant', async () => {
  const file = folderOf({
    'a.yaml': `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, namespace: metallb-system}
spec: {addreses: [192.0.2.0/24], autoAssing: true}
---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: os1}
spec: {namespaces: {names: [os1]}, networks: [{name: lan, cidrs: [192.0.2.0/24], loadBalancers: [192.0.2.1]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, annotations: {metallb.io/addres-pool: lan}}
---
apiVersion: v1
kind: Servce
metadata: {name: web}
---
apiVersion: v1
kind: PodTemplate
metadata: {name: web}
`,
  })
  const { exit, out } = await berth(['lint', '-f', file])
  const text = out.replaceAll(/\s+/g, ' ')
  expect(text).toContain('unknown field "spec.addreses"; did you mean addresses?')
  expect(text).toContain('unknown field "spec.autoAssing"; did you mean autoAssign?')
  const path = 'spec.networks[0].loadBalancers'
  expect(text).toContain(`unknown field "${path}"; did you mean loadBalancer?`)
  expect(text).toContain('"metallb.io/addres-pool"; did you mean metallb.io/address-pool?')
  expect(text).toContain('no matches for kind "Servce" in version "v1": did you mean Service?')
  expect(text).toContain('1 object of other kinds skipped (core 1)')
  expect(exit).toBe(1)
  const planned = await berth(['plan', '-f', file])
  expect(planned.err).toContain(
    `Tenant/os1: ignored: unknown field "${path}"; did you mean loadBalancer?\n`,
  )
})

test('a path that cannot be read is not a file to correct', async () => {
  const { out } = await berth(['lint', '-f', '/nowhere/a.yaml'])
  expect(out).toContain(
    'no such file or folder\n    remedy: name a file or folder that can be read',
  )
})
