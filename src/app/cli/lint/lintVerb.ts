// berth lint: what is wrong with these manifests, where, and how is it fixed?
import { lintView } from '../../../core/policy/lint/lintView.ts'
import { givenIn, givenOptions, isGiven } from '../given.ts'
import type { Exit } from '../io.ts'
import { asksLive, liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { type Loaded, load, newSession, type Session } from '../load.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../verb.ts'
import { lintReport } from './lintReport.ts'
import { lintText } from './lintText.ts'
import { sarif } from './sarif.ts'

export const lintVerb: Verb = {
  name: 'lint',
  summary: 'find conflicts and mistakes in manifests, and Services that would wait',
  usage: [
    'lint -f FILE|DIR... | -k DIR... [--strict] [-o text|json|sarif]',
    'lint --live [--context NAME] [--kubeconfig FILE] [--strict] [-o text|json|sarif]',
  ],
  description: `
Reads the manifests as a cluster would and reports what is wrong with them: objects that cannot be
read or would be refused, fields and annotations that have no effect, ranges that two allocators
hand out on one network, addresses that nothing would announce, and Services that would wait. Each
finding has a code, the object, file, line and field, an explanation, a remedy and, if there is
one, the command that fixes it. A conflict between two objects is one finding that names both; JSON
and SARIF report it for each. Objects of unknown API groups are counted and skipped. With --live or
--context, lint reads the running API. Nothing is written.

Exit status: 0 no findings, or only warnings; 2 errors found (with --strict, also warnings); 1
something could not be read, or the API could not be reached; the rest is reported.`,
  examples: [
    'berth lint -f examples/seed-conflicts',
    'berth lint -k overlays/production --strict',
    'berth lint -f deploy -o sarif > berth.sarif',
    'berth lint --live --context production',
  ],
  options: {
    ...givenOptions,
    live: { type: 'boolean', help: 'read the running API instead of files' },
    ...liveOptions,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'sarif'],
      help: 'output format',
    },
    strict: { type: 'boolean', help: 'exit with status 2 for warnings too' },
  },
  async run(args, io): Promise<Exit> {
    const given = givenIn(args)
    const isLive = asksLive(args)
    if (isLive === isGiven(given) || args.positionals.length > 0) {
      throw new UsageError(
        'name the manifests with -f FILE|DIR or -k DIR, or a running API with --live',
      )
    }
    const session = await newSession(io, liveSettings(args, io))
    if (!isLive) return tellReport(args, session, await load(session, given))
    return withLive(args, io, async ({ api }) =>
      tellReport(args, session, await loadLive(session, api)),
    )
  },
}

function tellReport(args: Arguments, { cluster, io }: Session, loaded: Loaded): Exit {
  const report = lintReport(cluster, loaded)
  const format = textOf(args, 'output')
  if (format === 'json') io.out(jsonText(lintView(report)))
  else if (format === 'sarif') io.out(jsonText(sarif(report.conflicts)))
  else (io.painted ?? io.out)(lintText(report, io.isTerminal))
  const isUnread = loaded.refused.some(({ isUnreadable }) => isUnreadable)
  if (loaded.unreadable.length > 0 || isUnread) return 1
  const { errors, warnings } = report.summary
  return errors > 0 || (isSet(args, 'strict') && warnings > 0) ? 2 : 0
}

const jsonText = (body: object): string => `${JSON.stringify(body, undefined, 2)}\n`
