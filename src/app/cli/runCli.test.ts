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
  [['completion', 'sj'], 'expected bash, zsh, fish or names, not "sj"\n'],
  [['release', 'pol', 'lan'], 'expected pool, not "pol"\n'],
  [['release', 'pool'], 'name the pool\nExample: berth release pool lan\n'],
  [['explain', 'pol', 'lan'], 'not "pol"; did you mean pool?\nExample: berth explain pool lan'],
  [['explain', 'pool', 'a', 'b'], 'unexpected argument "b": each file needs its own -f'],
  [['explain', 'node', 'metal-1'], 'or name, not "node"'],
  [['site'], 'say which: plan, apply, verify, commit, rollback, status or render\n'],
  [['site', 'go'], 'or render, not "go"'],
  [['site', 'plan', 'apply'], 'unexpected argument "apply"'],
  [['explain', 'svc'], 'say which svc\nExample: berth explain svc web'],
  [['migrate', 'stpe'], 'not "stpe"; did you mean step?\nExample: berth migrate step --all\n'],
  [['migrate'], 'say which: configmap, addresspools, check, plan, step, status, finish or back\n'],
  [['migrate', 'configmap'], 'name the file to convert\nExample: berth migrate conf'],
  [['migrate', 'check', 'all'], 'unexpected argument "all" after check\n'],
  [
    ['openstack', 'endpoint'],
    'or stale, not "endpoint"; did you mean endpoints?\nExample: berth op',
  ],
  [['openstack', 'endpoints'], 'name the namespace of the control plane: -n NAMESPACE\n'],
  [['openstack', 'convert'], 'name the files to convert: -f FILE|DIR\n'],
  [['ipset', 'release', 'host'], 'name the IPSet as NAMESPACE/NAME, not "host"\n'],
  [
    ['ipset', 'relaese'],
    'expected release, not "relaese"\nExample: berth ipset release openstack/',
  ],
  [['version', 'please'], 'unexpected argument "please"\n'],
  [['drain', 'one', 'two'], 'unexpected argument "two"\nExample: berth drain worker-3\n'],
  [['lint', 'manifests'], 'unexpected argument "manifests": each file needs its own -f'],
  [['plan', '-f', 'a.yaml', 'b.yaml'], 'unexpected argument "b.yaml": each file needs its own -f'],
  [['lint', '--live', '-f', 'x'], '-f and -k read files, and --live a running API: give only one'],
  [['status', '--exit-cod'], 'unknown option --exit-cod; did you mean --exit-code?'],
  [['status', '-x'], 'unknown option -x\n'],
  [['plan', '-f'], 'option -f, --file needs a value\n'],
  [['plan', '-f', '--live'], 'option -f needs a value\n'],
  [['lint', '--live=yes'], 'option --live takes no value\n'],
  [['plan'], 'name the manifests with -f'],
  [['plan', '-f', 'x', '-o', 'xml'], '--output must be one of text, wide, json, yaml, not "xml"'],
  [['plan', '--filee', 'x'], 'unknown option --filee; did you mean --file'],
  [['test'], 'name at least one file or folder'],
  [['test', 'x', '--filter', '('], 'is not a regular expression'],
])('%j is a mistake: exit 1 and where to look', async (args, told) => {
  const { exit, err } = await berth(args)
  expect(err).toContain(told)
  expect(err).toMatch(/See 'berth .*--help'\.\n$/)
  expect(exit).toBe(1)
})

test.each(verbs.filter(({ words = [] }) => words.length > 0))(
  'berth $name says which words it knows, with an example of itself',
  async ({ name, words = [] }) => {
    const { exit, err } = await berth([name, 'xyzzy'])
    for (const word of words) expect(err).toContain(word)
    expect(err).toContain('not "xyzzy"')
    expect(err).toMatch(new RegExp(`^Example: .*berth ${name} `, 'm'))
    expect(exit).toBe(1)
  },
)

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
