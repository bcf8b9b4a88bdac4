// berth lint: what is wrong with these manifests, where, and how is it fixed?
import { type LintReport, lintView } from '../../../core/policy/lint/lintView.ts'
import { formatted } from '../formatted.ts'
import { givenIn, givenOptions, isGiven } from '../given.ts'
import type { Exit } from '../io.ts'
import { asksLive, liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { type Loaded, load, newSession, type Session } from '../load.ts'
import { outputOption } from '../outputOption.ts'
import { type Arguments, isSet, textOf, textsOf, UsageError, type Verb } from '../verb.ts'
import { visible } from '../visible.ts'
import { lintMarkdown } from './lintMarkdown.ts'
import { lintReport } from './lintReport.ts'
import { ignoredOn, strayIgnores, weightsFrom } from './lintSettings.ts'
import { lintText } from './lintText.ts'
import { sarif } from './sarif.ts'

export const lintVerb: Verb = {
  name: 'lint',
  summary: 'find conflicts and mistakes in manifests, and Services that would wait',
  usage: [
    'lint -f FILE|DIR... | -k DIR... [--ignore CODE]... [--strict] [-o FORMAT]',
    'lint --live [--context NAME] [--ignore CODE]... [--strict] [-o FORMAT]',
  ],
  description: `
Reads the manifests as a cluster would and reports what is wrong with them: objects that cannot be
read or would be refused, fields and annotations that have no effect, ranges that two allocators
hand out on one network, addresses that nothing would announce, and Services that would wait. Each
finding has a code, the object, file, line and field, an explanation, a remedy and, if there is
one, the command that fixes it. A conflict between two objects is one finding that names both; JSON
and SARIF report it for each. Objects of unknown API groups are counted and skipped. With --live or
--context, lint reads the running API. Nothing is written.

To leave findings out, use --ignore CODE; the annotation berth.dev/lint-ignore: CODE,... (or '*')
on an object; or a file .berth.yaml, in the directory that is linted or in the working directory,
with 'lint: {ignore: [CODE], severity: {CODE: error|warning|off}}'. The summary counts what was
left out.

Exit status: 0 no findings, or only warnings; 2 errors found (with --strict, also warnings); 1
something could not be read, or the API could not be reached; the rest is reported.`,
  examples: [
    'berth lint -f examples/seed-conflicts',
    'berth lint -k overlays/production --strict',
    'berth lint -f deploy -o sarif > berth.sarif',
    'berth lint -f deploy --ignore deprecated -o markdown',
    'berth lint --live --context production',
  ],
  options: {
    ...givenOptions,
    live: { type: 'boolean', help: 'read the running API instead of files' },
    ...liveOptions,
    output: outputOption(['text', 'json', 'yaml', 'sarif', 'markdown']),
    ignore: {
      type: 'string',
      multiple: true,
      value: 'CODE',
      help: 'leave out findings with this code',
    },
    strict: { type: 'boolean', help: 'exit with status 2 for warnings too' },
  },
  async run(args, io): Promise<Exit> {
    const given = givenIn(args)
    const isLive = asksLive(args)
    if (isLive && isGiven(given)) {
      throw new UsageError('-f and -k read files, and --live a running API: give only one')
    }
    if (!isLive && !isGiven(given)) {
      throw new UsageError(
        'name the manifests with -f FILE|DIR or -k DIR, or a running API with --live',
      )
    }
    const { weightOf, unreadable } = weightsFrom(given, textsOf(args, 'ignore'))
    const session = await newSession(io, liveSettings(args, io))
    const tell = (read: Loaded): Exit => {
      const loaded = { ...read, unreadable: [...unreadable, ...read.unreadable] }
      for (const why of strayIgnores(loaded)) io.err(`${visible(`berth: ${why}`)}\n`)
      const rules = { weightOf, ignoredOn: ignoredOn(session.cluster) }
      return tellReport(args, session, {
        loaded,
        report: lintReport(session.cluster, loaded, rules),
      })
    }
    if (!isLive) return tell(await load(session, given))
    return withLive(args, io, async ({ api }) => tell(await loadLive(session, api)))
  },
}

type Told = { readonly loaded: Loaded; readonly report: LintReport }

function tellReport(args: Arguments, { io }: Session, { loaded, report }: Told): Exit {
  const format = textOf(args, 'output')
  const data =
    format === 'sarif'
      ? formatted(sarif(report.conflicts), 'json')
      : formatted(lintView(report), format)
  if (data !== undefined) io.out(data)
  else if (format === 'markdown') io.out(lintMarkdown(report))
  else (io.painted ?? io.out)(lintText(report, io.isTerminal))
  const isUnread = loaded.refused.some(({ isUnreadable }) => isUnreadable)
  if (loaded.unreadable.length > 0 || isUnread) return 1
  const { errors, warnings } = report.summary
  return errors > 0 || (isSet(args, 'strict') && warnings > 0) ? 2 : 0
}
