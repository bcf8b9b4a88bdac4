// What is left out, what weighs otherwise, and what is offered as a fix?
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderOf, lint, run } from '../../../../test/build/linting.ts'
import { service, withUnknown } from '../../../../test/build/lintManifests.ts'

const old = service('web', 'metallb.universe.tf/allow-shared-ip: k')
const files = { 'pool.yaml': withUnknown, 'web.yaml': old }
const codes = async (more: Record<string, string>) => {
  const { findings, summary, exit } = await lint({ ...files, ...more })
  return { found: findings.map(({ code, severity }) => `${severity} ${code}`), summary, exit }
}
const all = ['warning never-announced', 'warning unknown-field', 'warning deprecated']

test('--ignore leaves a code out, and the summary counts it', async () => {
  const { out } = await run([folderOf(files)], { ignore: ['deprecated', 'never-announced'] })
  expect(out).not.toContain('deprecated')
  expect(out).toMatch(/^0 errors, 1 warning, 2 ignored, in 2 objects from 2 files$/m)
})

test('a code that does not exist is refused, with one that is like it', async () => {
  const ran = run([folderOf(files)], { ignore: ['deprecate'] })
  await expect(ran).rejects.toThrow(
    '"deprecate" is not the code of a finding; did you mean deprecated?',
  )
})

test('.berth.yaml of the folder ignores and weighs, and is no manifest', async () => {
  expect((await codes({})).found).toEqual(all)
  const said =
    'lint: {ignore: [never-announced], severity: {deprecated: error, unknown-field: off}}\n'
  const { found, summary, exit } = await codes({ '.berth.yaml': said })
  expect(found).toEqual(['error deprecated'])
  expect(summary).toMatchObject({ errors: 1, warnings: 0, ignored: 2, objects: 2 })
  expect(exit).toBe(2)
})

test('.berth.yaml above the folder that is linted does not count', async () => {
  const folder = folderOf({ '.berth.yaml': 'lint: {ignore: [deprecated]}\n' })
  mkdirSync(`${folder}/in`)
  writeFileSync(`${folder}/in/web.yaml`, old)
  expect((await run([`${folder}/in`])).out).toContain('deprecated')
  expect((await run([`${folder}/in/web.yaml`])).out).toContain('deprecated')
  expect((await run([folder])).out).not.toContain('deprecated')
})

test.each([
  [
    'a weight',
    'lint:\n  severity: {deprecated: fatal}',
    2,
    'is error, warning or off, not "fatal"',
  ],
  ['a key', 'lint: {ignores: []}', 1, 'lint.ignores is unknown; lint has ignore and severity'],
  ['another file', 'lint: {}\nlnit: {}', 2, 'unknown field lnit'],
  ['a code', 'lint:\n  ignore:\n  - nothing-like-it', 3, 'is not the code of a finding'],
  [
    'a list',
    'lint: {severity: [error]}',
    1,
    'lint.severity must map codes to error, warning or off',
  ],
  ['no list', 'lint: {ignore: deprecated}', 1, 'lint.ignore must be a list of codes'],
  ['no YAML', 'lint: {}\nlint: [', 2, ''],
  ['nothing but text', 'off', 1, 'the file must be an object with the field lint'],
])(
  '.berth.yaml with %s is told with its line, and the rest goes on',
  async (_, said, line, why) => {
    const { findings, exit } = await lint({ ...files, '.berth.yaml': said })
    const [told, ...rest] = findings.toSorted(({ file }) => (file === '.berth.yaml' ? -1 : 0))
    expect(told).toMatchObject({ code: 'unreadable', file: '.berth.yaml', line })
    expect(told?.message).toContain(why)
    expect(told?.message).toContain('; correct it as docs/guides/lint.md shows')
    expect(rest.map(({ code, severity }) => `${severity} ${code}`)).toEqual(all)
    expect(exit).toBe(1)
  },
)

test('.berth.yaml counts but for what is wrong in it', async () => {
  const said = 'lint: {ignore: [never-announced, nothing], severity: {deprecated: off}}\n'
  const { found, exit } = await codes({ '.berth.yaml': said })
  expect(found).toEqual(['error unreadable', 'warning unknown-field'])
  expect(exit).toBe(1)
})

test('.berth.yaml is read if it is a file of its own, and a small one', async () => {
  const folder = folderOf({ 'web.yaml': old })
  symlinkSync('/dev/zero', `${folder}/.berth.yaml`)
  expect((await run([folder])).out).toContain('not a regular file')
  const large = `${'#'.repeat(100_000)}\n`
  const { findings } = await lint({ 'web.yaml': old, '.berth.yaml': large })
  expect(findings.map(({ message }) => message).join()).toContain('more than 100000 bytes')
})

test('an object says itself what it does not want to hear', async () => {
  const quiet = old.replace('annotations:', 'annotations:\n    berth.dev/lint-ignore: deprecated')
  expect(quiet).not.toBe(old)
  expect((await codes({ 'web.yaml': quiet })).found).toEqual(all.slice(0, 2))
  const silent = old.replace('annotations:', 'annotations:\n    berth.dev/lint-ignore: "*"')
  expect((await codes({ 'web.yaml': silent })).found).toEqual(all.slice(0, 2))
})

test('a code that nobody knows, in the annotation of an object, is told', async () => {
  const typo = old.replace('annotations:', 'annotations:\n    berth.dev/lint-ignore: deprcated')
  await expect(run([folderOf({ 'web.yaml': typo })])).rejects.toThrow(
    'berth.dev/lint-ignore: "deprcated" is not the code of a finding; did you mean deprecated?',
  )
})

test('what an operator owns gets no command, but the name of the owner', async () => {
  const owned = old.replace(
    'metadata:',
    'metadata:\n  ownerReferences: [{apiVersion: core.openstack.org/v1beta1, kind: KeystoneAPI, name: keystone, uid: u}]',
  )
  const { findings } = await lint({ 'web.yaml': owned })
  const [found] = findings.filter(({ code }) => code === 'deprecated')
  expect(found).toMatchObject({ remedy: expect.stringContaining('KeystoneAPI/keystone owns it') })
  expect(found).not.toHaveProperty('fix')
})

test('markdown: a report fits into a comment, and says how much is left out', async () => {
  const old = Array.from({ length: 600 }, (_, at) => service(`s${at}`, `metallb.io/unread${at}: x`))
  const { out } = await run([folderOf({ 'a.yaml': old.join('---\n') })], { output: 'markdown' })
  expect(out.length).toBeLessThan(65_536)
  const rows = out.match(/^\| (?:error|warning) /gm)?.length ?? 0
  const [, left] = /^(\d+) more: run `berth lint` to see all of them\.$/m.exec(out) ?? []
  const [, found] = /(\d+) warnings/.exec(out) ?? []
  expect(rows + Number(left)).toBe(Number(found))
})

test('markdown: one table, errors first, and nothing of a file steers it', async () => {
  const bad = old.replaceAll('web', 'w|b').replace('name: w|b', 'name: "w|b"')
  const { out } = await run([folderOf({ ...files, 'bad.yaml': bad })], { output: 'markdown' })
  const [title = '', , head, , first = ''] = out.split('\n')
  expect(title).toMatch(/^### berth lint: 1 error, 3 warnings in \d objects$/)
  expect(head).toBe('| | object | finding | remedy |')
  expect(first).toMatch(/^\| error \| Service\/shop\/w\\\|b /)
  const { out: none } = await run([folderOf({ 'web.yaml': service('web', 'a: b') })], {
    output: 'markdown',
    ignore: ['no-pool'],
  })
  expect(none).toContain('### berth lint: no findings')
})
