// How is a report shown in a pull request? One table, errors first, with what to do about each.
import { counted } from '../../../core/net/counted.ts'
import type { Conflict } from '../../../core/policy/lint/lintConflicts.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import type { LintReport } from '../../../core/policy/lint/lintView.ts'
import { placeText } from '../placeText.ts'
import { visible } from '../visible.ts'

export function lintMarkdown({ conflicts, summary }: LintReport): string {
  const { errors, warnings, ignored = 0, objects } = summary
  const where = `in ${counted(objects, 'object')}${ignored > 0 ? `, ${ignored} ignored` : ''}`
  if (conflicts.length === 0) return `### berth lint: no findings ${where}\n`
  const found = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`
  const sorted = [...conflicts].sort(([one], [other]) => weight(one) - weight(other))
  const head = ['| | object | finding | remedy |', '| --- | --- | --- | --- |']
  const rows = fitting(sorted.map(row))
  const left = sorted.length - rows.length
  const rest = left === 0 ? [] : ['', `${left} more: run \`berth lint\` to see all of them.`]
  return [`### berth lint: ${found} ${where}`, '', ...head, ...rows, ...rest, ''].join('\n')
}

/** GitHub takes no comment of more than 65,536 characters. */
const mostCharacters = 60_000

function fitting(rows: readonly string[]): readonly string[] {
  let characters = 0
  const end = rows.findIndex((one) => {
    characters += one.length + 1
    return characters > mostCharacters
  })
  return end < 0 ? rows : rows.slice(0, end)
}

const weight = ({ severity }: LintFinding): number => (severity === 'error' ? 0 : 1)

function row(conflict: Conflict): string {
  const [{ severity, code, message, remedy }] = conflict
  const objects = conflict.map(placed).join('<br>')
  const cells = [severity, objects, `\`${code}\` ${text(message)}`, text(remedy)]
  return `| ${cells.join(' | ')} |`
}

function placed(side: LintFinding): string {
  const place = side.file === '' ? '' : ` (${text(placeText(side))})`
  return `${text(side.object)}${place}`
}

/** What others wrote is text, and neither a link nor a tag. */
const text = (words: string): string =>
  visible(words.replaceAll('\n', ' ')).replace(/[\\|`*_{}[\]<>#!]/g, '\\$&')
