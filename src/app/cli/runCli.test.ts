import { expect, test } from 'vitest'
import { berth } from '../../../test/build/terminal.ts'
import { parseYaml } from '../../edge/manifests/parseYaml.ts'
import { verbsWith } from './verbs.ts'

const verbs = verbsWith([])

test('without a verb the verbs are listed', async () => {
  const { exit, out } = await berth([])
  expect(exit).toBe(0)
  for (const { name, summary } of verbs) expect(out).toMatch(new RegExp(`${name} +${summary}`))
})

test.each(verbs)('berth $name --help reads well', async ({ name, usage, options }) => {
  const { exit, out } = await berth([name, '--help'])
  expect(exit).toBe(0)
  expect(out).toContain(`Usage: berth ${usage[0]}`)
  for (const option of Object.keys(options)) expect(out).toContain(`--${option}`)
  for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
})

test.each([
  [['dance'], 'unknown command "dance"\n'],
  [['plna'], 'unknown command "plna"; did you mean plan?'],
  [['plan', '-f', 'x', '-o', 'yml'], 'not "yml"; did you mean yaml?'],
  [['completion', 'sh'], 'name a shell: bash, zsh, fish\n'],
  [['release', 'pol', 'lan'], 'name one pool: berth release pool NAME\n'],
  [['explain', 'pol', 'lan'], 'not "pol"; did you mean pool?'],
  [['migrate', 'stpe'], '; did you mean step?'],
  [['status', '--exit-cod'], "Unknown option '--exit-cod'; did you mean --exit-code?"],
  [['status', '-x'], "Unknown option '-x'\n"],
  [['plan'], 'name the manifests with -f'],
  [['plan', '-f', 'x', '-o', 'xml'], '--output must be one of text, wide, json, yaml, not "xml"'],
  [['plan', '--filee', 'x'], "Unknown option '--filee'; did you mean --file"],
  [['test'], 'name at least one file or folder'],
  [['test', 'x', '--filter', '('], 'is not a regular expression'],
])('%j is a mistake: exit 1 and where to look', async (args, told) => {
  const { exit, err } = await berth(args)
  expect(err).toContain(told)
  expect(err).toMatch(/See 'berth .*--help'\.\n$/)
  expect(exit).toBe(1)
})

test('berth version', async () => {
  expect((await berth(['version'])).out).toMatch(/^berth \d+\.\d+\.\d+ \(node \d+/)
  const { out } = await berth(['version', '-o', 'json'])
  expect(JSON.parse(out)).toMatchObject({ schema: 'berth.dev/version/v1' })
})

test.each([
  ['version'],
  ['test', 'examples/scenarios'],
  ['lint', '-f', 'examples/seed-conflicts'],
  ['plan', '-f', 'examples/cluster'],
  ['explain', 'pool', 'lan', '-f', 'examples/cluster'],
])('berth %s says the same as JSON and as YAML', async (...args) => {
  const [json, yaml] = await Promise.all([
    berth([...args, '-o', 'json']),
    berth([...args, '-o', 'yaml']),
  ])
  expect(parseYaml(yaml.out)).toEqual({ ok: true, value: JSON.parse(json.out) })
  expect(yaml.exit).toBe(json.exit)
})

test('berth crds prints every definition', async () => {
  const { out } = await berth(['crds'])
  expect(out.match(/^kind: CustomResourceDefinition$/gm)).toHaveLength(17)
})
