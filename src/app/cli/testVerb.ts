// berth test: do the scenarios hold? Text for people, JSON and JUnit for machines.
import { formatted } from './formatted.ts'
import type { Exit, Io } from './io.ts'
import { apiOptions, withCluster } from './live/liveApi.ts'
import { outputOption } from './outputOption.ts'
import { type Outcome, type Report, runTests } from './runTests.ts'
import { clusterTargets } from './scenarios/clusterTargets.ts'
import type { Targets } from './scenarios/target.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from './verb.ts'

export const testVerb: Verb = {
  name: 'test',
  summary: 'run scenario files: unit tests for an address policy',
  usage: [
    'test FILE|DIR... [--filter REGEX] [-o text|json|yaml|junit]',
    'test --engine embedded FILE|DIR...',
    'test --live [--context NAME] [--controller URL] [--allow-in-use] FILE|DIR...',
  ],
  description: `
Runs scenarios offline, with the policy code that the daemons run, in virtual time: no API server,
no network, no root. Directories are read with their subdirectories. The format is described in
docs/guides/scenarios.md.

With --engine embedded, they run through a real API and the real controller: embedded APIs are
started for them and removed afterwards. With --live, they run on the cluster of the kubeconfig.
Use a test cluster: every scenario creates and deletes pools, tenants, Services and namespaces, and
nothing runs if pools, tenants or load balancers exist already. Berth asks the controller at URL
whether it has finished; you can use a port-forward:

  kubectl -n metallb-system port-forward deployment/berth-controller 17472

A live run waits at most 2 seconds where a scenario lets time pass. What needs speakers, or a kind
that is not served, is counted with the reason, and does not count as passed.

Exit status: 0 everything holds; 1 an expectation failed, or the API cannot be used; 2 a file is
malformed (standard error names its line; the other files still run).`,
  examples: [
    'berth test examples/scenarios',
    "berth test . --filter '^tenant-' -o junit",
    'berth test --engine embedded examples/scenarios',
    'berth test --live --context lab examples/scenarios',
  ],
  options: {
    engine: {
      type: 'string',
      value: 'ENGINE',
      choices: ['simulator', 'embedded'],
      help: 'what to run the scenarios on (default simulator)',
    },
    live: { type: 'boolean', help: 'run on the cluster of the kubeconfig' },
    ...apiOptions,
    controller: {
      type: 'string',
      value: 'URL',
      help: "with --live: the controller's probes (default http://127.0.0.1:17472)",
    },
    'allow-in-use': {
      type: 'boolean',
      help: 'run even if pools, tenants or load balancers exist',
    },
    filter: { type: 'string', value: 'REGEX', help: 'run only scenarios whose name matches' },
    output: outputOption(['text', 'json', 'yaml', 'junit']),
  },
  takes: Number.POSITIVE_INFINITY,
  async run(args, io): Promise<Exit> {
    if (args.positionals.length === 0) throw new UsageError('name at least one file or folder')
    if (isSet(args, 'live')) {
      if (textOf(args, 'engine') !== '')
        throw new UsageError('--live and --engine exclude each other')
      return withCluster(args, io, async ({ api }) =>
        runOn(await clusterTargets(api, args), args, io),
      )
    }
    if (textOf(args, 'engine') !== 'embedded') return runOn(undefined, args, io)
    if (io.embeddedTargets === undefined) throw new UsageError('no embedded API is at hand')
    return runOn(await io.embeddedTargets(() => undefined), args, io)
  },
}

async function runOn(targets: Targets | undefined, args: Arguments, io: Io): Promise<Exit> {
  const { positionals: paths } = args
  try {
    return tell(await runTests({ paths, filter: filterOf(args), targets }, io), args, io)
  } finally {
    await targets?.close()
  }
}

function tell(report: Report, args: Arguments, io: Io): Exit {
  for (const line of report.malformed) io.err(`${line}\n`)
  const format = textOf(args, 'output')
  const data = format === 'junit' ? asJunit(report) : formatted(viewOf(report), format)
  io.out(data ?? asText(report))
  if (report.malformed.length > 0) return 2
  return count(report, 'failed') > 0 ? 1 : 0
}

function filterOf(args: Arguments): RegExp | undefined {
  const text = textOf(args, 'filter')
  if (text === '') return undefined
  try {
    return new RegExp(text)
  } catch {
    throw new UsageError(`--filter: ${JSON.stringify(text)} is not a regular expression`)
  }
}

const count = ({ outcomes }: Report, status: Outcome['status']): number =>
  outcomes.filter((outcome) => outcome.status === status).length

function asText(report: Report): string {
  const failed = report.outcomes.filter(({ status }) => status === 'failed')
  const told = failed.map(({ file, name, failures }) => {
    const lines = failures.flatMap(({ step, path, expected, actual }) => [
      `  ${step}: ${path}`,
      `    expected ${shown(expected)}`,
      `    but was  ${shown(actual)}`,
    ])
    return `FAILED ${name} (${file})\n${lines.join('\n')}\n\n`
  })
  const skipped = count(report, 'skipped')
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  const sums = `${count(report, 'passed')} passed, ${failed.length} failed${tail}\n`
  return `${told.join('')}${sums}${notLive(report)}`
}

/** One line for each reason. */
function notLive({ outcomes }: Report): string {
  const counts = new Map<string, number>()
  for (const { status, notLive: whys = [] } of outcomes) {
    for (const why of whys) {
      const line = status === 'skipped' ? `skipped: ${why}` : `run without ${why}`
      counts.set(line, (counts.get(line) ?? 0) + 1)
    }
  }
  if (counts.size === 0) return ''
  const lines = [...counts].map(([line, number]) => `  ${number} ${line}\n`)
  return `not on a live API:\n${lines.sort().join('')}`
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

const viewOf = (report: Report): object => ({
  schema: 'berth.dev/test/v1',
  passed: count(report, 'passed'),
  failed: count(report, 'failed'),
  skipped: count(report, 'skipped'),
  scenarios: report.outcomes,
})

function asJunit(report: Report): string {
  const cases = report.outcomes.map(({ file, name, status, failures, notLive = [] }) => {
    const open = `  <testcase classname="${escaped(file)}" name="${escaped(name)}"`
    if (status === 'passed') return `${open}/>`
    if (status === 'skipped') {
      const why =
        notLive.length === 0 ? '' : ` message="not on a live API: ${escaped(notLive.join('; '))}"`
      return `${open}><skipped${why}/></testcase>`
    }
    const told = failures.map(
      ({ step, path, expected, actual }) =>
        `    <failure message="${escaped(`${step}: ${path}`)}">` +
        `expected ${escaped(shown(expected))} but was ${escaped(shown(actual))}</failure>`,
    )
    return `${open}>\n${told.join('\n')}\n  </testcase>`
  })
  const [tests, failures, skipped] = [
    report.outcomes.length,
    count(report, 'failed'),
    count(report, 'skipped'),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="berth" tests="${tests}" failures="${failures}" skipped="${skipped}">
${cases.join('\n')}
</testsuite>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML 1.0 has no place for most control characters, not even escaped. */
function escaped(text: string): string {
  const printable = [...text].map((letter) => (isControl(letter) ? '\uFFFD' : letter)).join('')
  return printable.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}

const isControl = (letter: string): boolean =>
  letter < ' ' && letter !== '\n' && letter !== '\t' && letter !== '\r'
