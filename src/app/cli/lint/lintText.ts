// How is a report printed as text? One entry for each conflict with both sides, then a summary.

import type { Severity } from '../../../core/model/problem.ts'
import { counted } from '../../../core/net/counted.ts'
import type { Conflict } from '../../../core/policy/lint/lintConflicts.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import type { LintReport, LintSummary } from '../../../core/policy/lint/lintView.ts'
import { visible } from '../visible.ts'
import { wrapped } from '../wrapped.ts'

const columns = 98
const colours: Readonly<Record<Severity, string>> = { error: '31', warning: '33' }

export function lintText({ conflicts, summary }: LintReport, isTerminal: boolean): string {
  const entries = conflicts.map((conflict) => `${entry(conflict, isTerminal)}\n\n`)
  return `${entries.join('')}${summaryLines(summary).join('\n')}\n`
}

function entry(conflict: Conflict, isTerminal: boolean): string {
  const [{ severity, code, message, remedy }] = conflict
  const [first, ...others] = conflict
  const fixes = conflict.flatMap(({ fix }) => fix ?? [])
  const lines = [
    ...sideLines(`${severity} ${code}`, first),
    ...others.flatMap((side) => sideLines('  and', side)),
    ...wrapped(message, 2),
    ...wrapped(`remedy: ${remedy}`, 2),
  ]
  const text = [...lines, ...fixes.flatMap(fixLines)].map(visible).join('\n')
  if (!isTerminal) return text
  return `\u001b[${colours[severity]}m${severity}\u001b[0m${text.slice(severity.length)}`
}

/** The place follows the object, on its own line if it does not fit. */
function sideLines(lead: string, { object, file, line, field }: LintFinding): string[] {
  const head = object === '' ? lead : `${lead} ${object}`
  if (file === '') return [head]
  const place = `(${file}:${line}${field === '' ? '' : ` ${field}`})`
  const whole = `${head} ${place}`
  return whole.length <= columns ? [whole] : [head, ...wrapped(place, 4)]
}

/** Wrapped between arguments with a backslash, so that a copied command still runs. */
function fixLines(fix: string): string[] {
  const words = fix.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  const lines: string[] = []
  let line = '  fix:'
  for (const word of words) {
    if (line.length + word.length + 3 > columns) {
      lines.push(`${line} \\`)
      line = '     '
    }
    line = `${line} ${word}`
  }
  return [...lines, line]
}

function summaryLines({ errors, warnings, objects, files, passedOver }: LintSummary): string[] {
  const found =
    errors + warnings === 0
      ? 'no findings'
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`
  const whence = files === 0 ? '' : ` from ${counted(files, 'file')}`
  const where = `${counted(objects, 'object')}${whence}`
  const groups = [...passedOver].map(([group, count]) => `${group || 'core'} ${count}`).sort()
  const others = [...passedOver.values()].reduce((sum, count) => sum + count, 0)
  const tail =
    others === 0
      ? ''
      : `; ${counted(others, 'object')} of other API groups skipped (${groups.join(', ')})`
  return wrapped(`${found} in ${where}${tail}`, 0)
}
