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
  const entries = groupsIn(conflicts).map((group) => {
    const [only] = group.length === 1 ? group : []
    const text = only === undefined ? groupText(group, isTerminal) : entry(only, isTerminal)
    return `${text}\n\n`
  })
  return `${entries.join('')}${summaryLines(summary).join('\n')}\n`
}

/** Those of one object together, in the order of the first. */
function groupsIn(conflicts: readonly Conflict[]): readonly (readonly Conflict[])[] {
  const groups = new Map<string, Conflict[]>()
  for (const [at, conflict] of conflicts.entries()) {
    const [{ object, file }] = conflict
    const isAlone = conflict.length > 1 || object === ''
    const key = isAlone ? String(at) : `${file} ${object}`
    groups.set(key, [...(groups.get(key) ?? []), conflict])
  }
  return [...groups.values()]
}

/** The object once, and a remedy once for findings that have the same. */
function groupText(group: readonly Conflict[], isTerminal: boolean): string {
  const [{ line: top } = { line: 0 }] = group.map(([side]) => side)
  const sides = group.map(([side]) => side).sort(byWeight)
  const [{ object, file } = { object: '', file: '' }] = sides
  const head = visible(file === '' ? object : `${object} (${file}:${top})`)
  const lines = sides.flatMap((side, at) => {
    const next = sides[at + 1]
    const isLast = next?.remedy !== side.remedy || next.code !== side.code
    const place = side.line === top ? '' : ` line ${side.line}`
    const what = `${side.severity} ${side.code}${place}${side.field && ` ${side.field}`}`
    const rest = [
      ...wrapped(side.message, 4),
      ...(side.fix === undefined ? [] : fixLines(side.fix).map((text) => `  ${text}`)),
      ...(isLast ? wrapped(`remedy: ${side.remedy}`, 4) : []),
    ]
    return [`  ${painted(visible(what), side.severity, isTerminal)}`, ...rest.map(visible)]
  })
  return [head, ...lines].join('\n')
}

/** Errors first, and those of one code together. */
const byWeight = (one: LintFinding, other: LintFinding): number =>
  orderOf(one) === orderOf(other) ? 0 : orderOf(one) < orderOf(other) ? -1 : 1

const orderOf = ({ severity, code }: LintFinding): string => `${severity} ${code}`

const painted = (text: string, severity: Severity, isTerminal: boolean): string =>
  isTerminal
    ? `\u001b[${colours[severity]}m${severity}\u001b[0m${text.slice(severity.length)}`
    : text

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
  return painted(text, severity, isTerminal)
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

function summaryLines(summary: LintSummary): string[] {
  const { errors, warnings, ignored = 0, objects, files, passedOver } = summary
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
  const left = ignored === 0 ? '' : `, ${ignored} ignored,`
  return wrapped(`${found}${left} in ${where}${tail}`, 0)
}
