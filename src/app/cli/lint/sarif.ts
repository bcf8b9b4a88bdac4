// How do code scanners read a report? As SARIF 2.1.0: one rule for each code, one result for each
// finding.
import { relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Conflict } from '../../../core/policy/lint/lintConflicts.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'

export function sarif(conflicts: readonly Conflict[]): object {
  const findings = conflicts.flat()
  const rules = new Map(findings.map((finding) => [finding.code, ruleOf(finding)]))
  const codes = [...rules.keys()].sort()
  const results = conflicts.flatMap((conflict) =>
    conflict.map((side) => ({
      ruleIndex: codes.indexOf(side.code),
      ...resultOf(
        side,
        conflict.filter((other) => other !== side),
      ),
    })),
  )
  const driver = { name: 'berth', rules: codes.map((code) => rules.get(code)) }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  }
}

const ruleOf = ({ code, remedy }: LintFinding) => ({
  id: code,
  shortDescription: { text: code.replaceAll('-', ' ') },
  help: { text: remedy },
})

function resultOf(finding: LintFinding, others: readonly LintFinding[]) {
  const { code, severity, object, message, fix } = finding
  const said = object === '' ? message : `${object}: ${message}`
  const related = others.map((other, index) => ({
    id: index + 1,
    message: { text: other.object },
    ...locationOf(other),
  }))
  return {
    ruleId: code,
    level: severity,
    message: { text: fix === undefined ? said : `${said}\nFix: ${fix}` },
    locations: [locationOf(finding)],
    ...(related.length === 0 ? {} : { relatedLocations: related }),
  }
}

function locationOf({ file, line, object, field }: LintFinding) {
  const name = field === '' ? object : `${object} ${field}`
  return {
    ...(file === ''
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            region: { startLine: Math.max(1, line) },
          },
        }),
    ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }),
  }
}

/** Relative to the working folder, as scanners match it to the repository; absolute outside it. */
function uriOf(file: string): string {
  if (file === '-') return 'stdin'
  const path = relative('', file)
  if (path === '..' || path.startsWith(`..${sep}`)) return pathToFileURL(resolve(file)).href
  return path === '' ? '.' : path.split(sep).map(encodeURIComponent).join('/')
}
