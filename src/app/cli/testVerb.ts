// berth test: do the scenarios hold? Text for people, JSON and JUnit for machines.
import type { Exit } from './io.ts'
import { type Outcome, type Report, runTests } from './runTests.ts'
import { type Arguments, textOf, UsageError, type Verb } from './verb.ts'

export const testVerb: Verb = {
  name: 'test',
  summary: 'run scenario files: unit tests for an address policy',
  usage: ['test FILE|DIR... [--filter REGEX] [-o text|json|junit]'],
  description: `
Runs scenarios offline, with the policy code that the daemons run, in virtual time: no API server,
no network, no root. A folder is read with its subfolders. docs/guides/scenarios.md has the form.

Exit status: 0 all hold, 1 some expectation failed, 2 a file is malformed (it is told on standard
error with its line, the others still run).`,
  examples: ['berth test examples/scenarios', "berth test . --filter '^tenant-' -o junit"],
  options: {
    filter: { type: 'string', value: 'REGEX', help: 'run only scenarios whose name matches' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'junit'],
      help: 'how to tell the outcome',
    },
  },
  async run(args, io): Promise<Exit> {
    if (args.positionals.length === 0) throw new UsageError('name at least one file or folder')
    const report = await runTests(args.positionals, filterOf(args), io)
    for (const line of report.malformed) io.err(`${line}\n`)
    const formats = { json: asJson, junit: asJunit }
    const format = textOf(args, 'output')
    io.out(format === 'json' || format === 'junit' ? formats[format](report) : asText(report))
    if (report.malformed.length > 0) return 2
    return count(report, 'failed') > 0 ? 1 : 0
  },
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
  return `${told.join('')}${count(report, 'passed')} passed, ${failed.length} failed${tail}\n`
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

function asJson(report: Report): string {
  const body = {
    schema: 'berth.dev/test/v1',
    passed: count(report, 'passed'),
    failed: count(report, 'failed'),
    skipped: count(report, 'skipped'),
    scenarios: report.outcomes,
  }
  return `${JSON.stringify(body, undefined, 2)}\n`
}

function asJunit(report: Report): string {
  const cases = report.outcomes.map(({ file, name, status, failures }) => {
    const open = `  <testcase classname="${escaped(file)}" name="${escaped(name)}"`
    if (status === 'passed') return `${open}/>`
    if (status === 'skipped') return `${open}><skipped/></testcase>`
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
