import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nowhere } from '../../../../test/build/terminal.ts'
import { UsageError } from '../verb.ts'
import type { LintFinding } from './lintFinding.ts'
import { lintVerb } from './lintVerb.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

type Files = Readonly<Record<string, string | Uint8Array>>
function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-lint-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

type Run = { output?: string; strict?: boolean; isTerminal?: boolean; stdin?: string }

async function run(paths: readonly string[], { output, strict, isTerminal, stdin }: Run = {}) {
  let out = ''
  async function* input() {
    yield stdin ?? ''
  }
  const io = {
    ...nowhere,
    stdin: input(),
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      throw new Error(text)
    },
    isTerminal: isTerminal ?? false,
  }
  const exit = await lintVerb.run({ positionals: [], values: { file: paths, output, strict } }, io)
  return { exit, out }
}

type Json = {
  schema: string
  findings: LintFinding[]
  summary: { errors: number; warnings: number; [key: string]: unknown }
}

/** The findings, with places relative to the folder. */
async function lint(files: Files): Promise<Json & { exit: number }> {
  const folder = folderOf(files)
  const { exit, out } = await run([folder], { output: 'json' })
  return { exit, ...(JSON.parse(out.replaceAll(`${folder}/`, '')) as Json) }
}

/** On standard input, so that no line depends on where the folder is. */
const lintText = async (texts: readonly string[], options: Run = {}): Promise<string> =>
  (await run(['-'], { ...options, stdin: texts.join('---\n') })).out

const pool = (name: string, addresses: string, rest = ''): string => `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata:
  name: ${name}
  namespace: metallb-system
  ${rest}
spec:
  addresses: [${addresses}]
`
const service = (name: string, annotations = '', spec = ''): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop
  annotations:
    note: none
    ${annotations}
spec:
  type: LoadBalancer
  ${spec}
  ports: [{port: 80}]
`
const l2 = `apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: all, namespace: metallb-system}
`
const good = {
  'good.yaml': [pool('lan', '192.0.2.10-192.0.2.20'), l2, service('web')].join('---\n'),
}
const unknownIn = (text: string): string => text.replace('spec:\n', 'spec:\n  protocol: layer2\n')
const withUnknown = unknownIn(pool('lan', '192.0.2.0/24'))
const otherUnknown = unknownIn(pool('other', '198.51.100.0/24'))

test('has nothing to report', async () => {
  const { exit, out } = await run([folderOf(good)])
  expect(out).toBe('nothing to report in 3 objects from 1 file\n')
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
  expect(out).toContain(`error unreadable (${missing}:1)\n  no such file or folder\n`)
  expect(out).toMatch(/^1 error, 0 warnings in 3 objects from 2 files$/m)
})

const refused: { title: string; text: string; line: number; field: string; why: RegExp }[] = [
  {
    title: 'an unknown kind of metallb.io',
    text: '\napiVersion: metallb.io/v1beta1\nkind: AddressPool\nmetadata: {name: a}\n',
    line: 2,
    field: '',
    why: /no matches for kind "AddressPool"/,
  },
  {
    title: 'an unknown kind of berth.dev',
    text: 'apiVersion: berth.dev/v1alpha1\nkind: Tenent\nmetadata: {name: a}\n',
    line: 1,
    field: '',
    why: /no matches for kind "Tenent"/,
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
    `apiVersion: ${apiVersion}\nkind: Other\nmetadata: {name: ${name}}\n`
  const others = [other('apps/v1', 'a'), other('v1', 'b'), other('apps/v1', 'c')]
  const { exit, summary, findings } = await lint({ ...good, 'other.yaml': others.join('---\n') })
  expect(findings).toEqual([])
  expect(summary['passedOver']).toEqual({ '': 1, apps: 2 })
  expect(exit).toBe(0)
  expect(await lintText([good['good.yaml'], ...others])).toBe(
    'nothing to report in 3 objects from 1 file; 3 objects of other groups passed over ' +
      '(apps 2, core 1)\n',
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
  expect(out).toContain('(-:8 spec.protocol)')
  expect(exit).toBe(0)
})

const attachment = (range: string): string => `apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: api, namespace: shop}
spec:
  config: '{"type": "macvlan", "master": "eth0", "ipam": {"type": "whereabouts",
    "range": "192.0.2.0/24", "range_start": "192.0.2.${range}", "range_end": "192.0.2.${range}"}}'
`

test('one conflict is one entry in text and two findings in JSON', async () => {
  const files = {
    'attachment.yaml': attachment('15'),
    'pool.yaml': pool('lan', '192.0.2.10-192.0.2.20'),
  }
  expect(
    await lintText(Object.values(files)),
  ).toBe(`error overlap-vip-attachment NetworkAttachmentDefinition/shop/api (-:5 spec.config)
  and IPAddressPool/metallb-system/lan (-:15 spec.addresses)
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
  expect(summary).toEqual({ errors: 1, warnings: 0, objects: 2, files: 2, passedOver: {} })
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

test('[S5] of two objects of one name both places are told, and what is wrong with either', async () => {
  const { findings, exit } = await lint({
    'a.yaml': attachment('15'),
    'one.yaml': pool('lan', '192.0.2.15/32'),
    'two.yaml': `# the second\n${pool('lan', '198.51.100.0/24')}`,
  })
  const object = 'IPAddressPool/metallb-system/lan'
  const message = 'two objects of one name: the one in two.yaml:2 replaces the one in one.yaml:1'
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

test('a file that is named twice holds no duplicates', async () => {
  const folder = folderOf(good)
  const { exit, out } = await run([folder, join(folder, '.', 'good.yaml')])
  expect(out).toMatch(/^nothing to report/)
  expect(exit).toBe(0)
})

type Waits = { code: string; severity: string; field: string; line: number; services: string[] }
const asks = (name: string, value: string) => service('web', `metallb.io/${name}: ${value}`)
const waits: Waits[] = [
  {
    code: 'pool-not-found',
    severity: 'error',
    field: 'metadata.annotations[metallb.io/address-pool]',
    line: 8,
    services: [asks('address-pool', 'none')],
  },
  {
    code: 'address-invalid',
    severity: 'error',
    field: 'metadata.annotations[metallb.io/loadBalancerIPs]',
    line: 8,
    services: [asks('loadBalancerIPs', '192.0.2.300')],
  },
  {
    code: 'address-not-in-pool',
    severity: 'error',
    field: 'spec.loadBalancerIP',
    line: 11,
    services: [service('web', '', 'loadBalancerIP: 198.51.100.7')],
  },
  {
    code: 'pool-full',
    severity: 'warning',
    field: '',
    line: 1,
    services: [service('web'), service('aaa')],
  },
  {
    code: 'address-taken',
    severity: 'warning',
    field: 'spec.loadBalancerIP',
    line: 11,
    services: ['web', 'aaa'].map((name) => service(name, '', 'loadBalancerIP: 192.0.2.1')),
  },
]
test.each(waits)(
  'a Service that would wait: $severity $code',
  async ({ services, ...expected }) => {
    const given = { 'lan.yaml': `${pool('lan', '192.0.2.1/32')}---\n${l2}` }
    const files = services.map((text, index) => [`service-${index}.yaml`, text])
    const { findings } = await lint({ ...given, ...Object.fromEntries(files) })
    const object = 'Service/shop/web'
    expect(findings).toMatchObject([{ ...expected, object, file: 'service-0.yaml' }])
    expect(findings[0]?.remedy).not.toBe('')
  },
)

test('names the annotation by the prefix under which it stands', async () => {
  const text = service('web', 'metallb.universe.tf/address-pool: none')
  const { findings } = await lint({ 'a.yaml': text })
  const field = 'metadata.annotations[metallb.universe.tf/address-pool]'
  expect(findings).toMatchObject([
    { code: 'deprecated', severity: 'warning', field, line: 8 },
    { code: 'pool-not-found', severity: 'error', field, line: 8 },
  ])
})

const address = (ip: string): string => `apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: ${ip}}
spec: {address: ${ip}, reservedFor: {namespace: shop, name: web}}
`
const peer = `apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: tor, namespace: metallb-system}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 192.0.2.1, disableMP: true}
`

test('a deprecated version is told at its apiVersion, and no command mends it', async () => {
  const { findings } = await lint({
    'a.yaml': peer.replace('v1beta2', 'v1beta1').replace(', disableMP: true', ''),
  })
  expect(findings).toMatchObject([{ code: 'deprecated', field: 'apiVersion', line: 1 }])
  expect(findings[0]?.fix).toBeUndefined()
})

const onPool = 'kubectl -n metallb-system annotate ipaddresspool lan'
const onService = 'kubectl -n shop annotate service web'
const old = (value: string) => service('web', `metallb.universe.tf/allow-shared-ip: ${value}`)
const annotated = (text: string) => pool('lan', '192.0.2.0/24', `annotations: {${text}}`)
const fixes: { code: string; text: string; fix: string }[] = [
  {
    code: 'deprecated',
    text: old('front'),
    fix: `${onService} metallb.io/allow-shared-ip=front metallb.universe.tf/allow-shared-ip-`,
  },
  {
    code: 'deprecated',
    text: old(`"it's; $HOME"`),
    fix: `${onService} 'metallb.io/allow-shared-ip=it'"'"'s; $HOME' metallb.universe.tf/allow-shared-ip-`,
  },
  {
    code: 'deprecated',
    text: service(
      'web',
      '{metallb.universe.tf/allow-shared-ip: a, metallb.io/allow-shared-ip: b}',
    ).replace(/note: none\n +/, ''),
    fix: `${onService} metallb.universe.tf/allow-shared-ip-`,
  },
  {
    code: 'deprecated',
    text: peer,
    fix: `kubectl -n metallb-system patch bgppeer tor --type=json -p '[{"op":"remove","path":"/spec/disableMP"}]'`,
  },
  {
    code: 'unknown-tenant',
    text: pool('lan', '192.0.2.0/24', 'labels: {berth.dev/tenant: north}'),
    fix: 'kubectl -n metallb-system label ipaddresspool lan berth.dev/tenant-',
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/when-full: maybe'),
    fix: `${onPool} --overwrite berth.dev/when-full=wait`,
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/split: half'),
    fix: `${onPool} --overwrite berth.dev/split=available`,
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/serves: "api, Bad, lan2"'),
    fix: `${onPool} --overwrite berth.dev/serves=api,lan2`,
  },
  {
    code: 'bad-annotation',
    text: annotated('berth.dev/serves: "Bad"'),
    fix: `${onPool} berth.dev/serves-`,
  },
  {
    code: 'reservation-twice',
    text: [address('192.0.2.7'), address('192.0.2.6')].join('---\n'),
    fix: 'kubectl delete address 192.0.2.7',
  },
  {
    // The lowest lies in no pool, so the Service has the other.
    code: 'reservation-twice',
    text: [
      address('192.0.2.7'),
      address('192.0.2.6'),
      pool('lan', '192.0.2.7/32'),
      service('web'),
    ].join('---\n'),
    fix: 'kubectl delete address 192.0.2.6',
  },
]
test.each(fixes)('$code is mended by $fix', async ({ code, text, fix }) => {
  const { findings } = await lint({ 'a.yaml': text })
  expect(findings.filter((one) => one.code === code).flatMap((one) => one.fix ?? [])).toEqual([fix])
})

test('text: by line, then code; what is too long goes on in the next line', async () => {
  const value = 'a-sharing-key-that-is-longer-than-most-and-so-does-not-fit'
  expect(
    await lintText([withUnknown, old(value)]),
  ).toBe(`warning never-announced IPAddressPool/metallb-system/lan (-:1)
  Services hold its addresses, and no advertisement covers it
  remedy: add an L2Advertisement or BGPAdvertisement that selects the pool

warning unknown-field IPAddressPool/metallb-system/lan (-:8 spec.protocol)
  unknown field "spec.protocol"
  remedy: correct or remove the field: a cluster drops it without a word

warning deprecated Service/shop/web
    (-:18 metadata.annotations[metallb.universe.tf/allow-shared-ip])
  annotation metallb.universe.tf/allow-shared-ip is deprecated: use metallb.io/allow-shared-ip
  remedy: replace or remove it as the message says
  fix: kubectl -n shop annotate service web \\
      metallb.io/allow-shared-ip=${value} \\
      metallb.universe.tf/allow-shared-ip-

0 errors, 3 warnings in 2 objects from 1 file
`)
})

test('colour on a terminal only, and no control characters of a file', async () => {
  const given = [pool('lan', '"\\e[2J192.0.2.1/32"')]
  const escapes = (text: string) => text.split('\u001b').length - 1
  expect(escapes(await lintText(given))).toBe(0)
  const shown = await lintText(given, { isTerminal: true })
  expect(shown.startsWith('\u001b[31merror\u001b[0m invalid ')).toBe(true)
  expect(escapes(shown)).toBe(2)
})

test('SARIF: rules with their remedies, results with places', async () => {
  const folder = folderOf({ 'a.yaml': withUnknown })
  const { exit, out } = await run([folder], { output: 'sarif' })
  expect(JSON.parse(out)).toMatchObject({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'berth' } }, results: [{ ruleId: 'unknown-field' }] }],
  })
  expect(exit).toBe(0)
})
