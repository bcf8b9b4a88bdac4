// How is a report printed as text? One entry for each object or conflict, then a summary.

import { counted } from '../../../core/net/counted.ts'
import { noReports } from '../../../core/policy/announce/noReports.ts'
import { whoIsUnknown } from '../../../core/policy/announce/silence.ts'
import type { Conflict } from '../../../core/policy/lint/lintConflicts.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import type { LintReport, LintSummary } from '../../../core/policy/lint/lintView.ts'
import { placeText } from '../placeText.ts'
import { visible } from '../visible.ts'
import { wrapped } from '../wrapped.ts'

const columns = 98
const colours: Readonly<Record<string, string>> = { error: '31', warning: '33' }

export function lintText({ conflicts, summary }: LintReport, isTerminal: boolean): string {
  const entries = groupsIn(conflicts).map((group) => {
    const lines = [...headLines(group), ...findingLines(group)].map(visible)
    return `${lines.map((line) => painted(line, isTerminal)).join('\n')}\n\n`
  })
  return `${entries.join('')}${summaryLines(summary).join('\n')}\n`
}

/** Those of one object together, in the order of the first; a conflict has two. */
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

/** The object and where it stands, and each further object of a conflict with its own place. */
function headLines(group: readonly Conflict[]): string[] {
  const [[first, ...others]] = group as readonly [Conflict, ...Conflict[]]
  const isConflict = others.length > 0
  const { object, file } = first
  const place = isConflict ? placeOf(first) : hasOnePlace(group) ? placeText(first) : file
  if (object === '') return [place]
  return [
    ...placed(object, place),
    ...others.flatMap((side) => placed(`and ${side.object}`, placeOf(side))),
  ]
}

const hasOnePlace = (group: readonly Conflict[]): boolean =>
  new Set(group.map(([{ line }]) => line)).size === 1

/** The place follows the object, on its own line if it does not fit. */
function placed(object: string, place: string): string[] {
  if (place === '') return [object]
  const whole = `${object} (${place})`
  return whole.length <= columns ? [whole] : [object, ...wrapped(`(${place})`, 4)]
}

const placeOf = (side: LintFinding): string =>
  [placeText(side), side.field].filter((text) => text !== '').join(' ')

/** What is wrong with it, and a remedy once for findings that have the same. */
function findingLines(group: readonly Conflict[]): string[] {
  const sides = [...group].sort(([one], [other]) => byWeight(one, other))
  const isOnePlace = hasOnePlace(group)
  let fixes: readonly string[] = []
  return sides.flatMap((conflict, at) => {
    const [side] = conflict
    const [next] = sides[at + 1] ?? []
    const isLast = next?.remedy !== side.remedy || next.code !== side.code
    const line = isOnePlace || side.line === 0 ? '' : ` line ${side.line}`
    const field = conflict.length > 1 || side.field === '' ? '' : ` ${side.field}`
    fixes = [...fixes, ...conflict.flatMap(({ fix }) => (fix === undefined ? [] : fixLines(fix)))]
    const wayOut = isLast ? [...wrapped(`remedy: ${side.remedy}`, 4), ...fixes] : []
    if (isLast) fixes = []
    return [
      ...hanging(`  ${side.severity} ${side.code}${line}${field}`),
      ...wrapped(side.message, 4),
      ...wayOut,
    ]
  })
}

/** What does not fit goes on below, further in. */
function hanging(text: string): string[] {
  const [first = '', ...rest] = wrapped(text.trimStart(), 4)
  return [first.replace(/^ {4}/, '  '), ...rest.map((line) => `    ${line}`)]
}

/** Errors first, and those of one code together. */
const byWeight = (one: LintFinding, other: LintFinding): number =>
  orderOf(one) === orderOf(other) ? 0 : orderOf(one) < orderOf(other) ? -1 : 1

const orderOf = ({ severity, code }: LintFinding): string => `${severity} ${code}`

function painted(line: string, isTerminal: boolean): string {
  const [, severity = ''] = /^ {2}(error|warning) /.exec(line) ?? []
  const colour = colours[severity]
  if (!isTerminal || colour === undefined) return line
  return `  \u001b[${colour}m${severity}\u001b[0m${line.slice(2 + severity.length)}`
}

/** Wrapped between arguments with a backslash, so that a copied command still runs. */
function fixLines(fix: string): string[] {
  const words = fix.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  const lines: string[] = []
  let line = '    fix:'
  for (const word of words) {
    if (line.length + word.length + 3 > columns) {
      lines.push(`${line} \\`)
      line = '       '
    }
    line = `${line} ${word}`
  }
  return [...lines, line]
}

function summaryLines(summary: LintSummary): string[] {
  const { errors, warnings, ignored = 0, objects, files, passedOver } = summary
  const { notAnnounced, areAnnouncersUnknown, areForeseen = false } = summary
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
      : `; ${counted(others, 'object')} of other kinds skipped (${groups.join(', ')})`
  const left = ignored === 0 ? '' : `, ${ignored} ignored,`
  const announcing = [
    ...(notAnnounced === 0 ? [] : [`${counted(notAnnounced, 'Service')} not announced`]),
    ...(areForeseen ? [noReports] : []),
    ...(areAnnouncersUnknown ? [`announcements ${whoIsUnknown}`] : []),
  ]
  return [...wrapped(`${found}${left} in ${where}${tail}`, 0), ...wrapped(announcing.join('; '), 0)]
}
