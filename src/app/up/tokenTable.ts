// Which tokens are there? A line for each: whose it is, what it may, until when; never its text.
import type { JsonObject } from '../../core/model/gate.ts'
import { isOver, type Kept, keptIn } from './tokenSecret.ts'

const head = ['ID', 'USER', 'MAY', 'UNTIL'] as const

export function tokenTable(secrets: readonly JsonObject[], now: Date): string {
  const tokens = secrets.flatMap((secret) => keptIn(secret) ?? [])
  if (tokens.length === 0) return 'no tokens\n'
  const lines = tokens.map((token) => [token.id, token.user, mayText(token), endText(token, now)])
  const rows = [head, ...lines]
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('   ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

function mayText({ isReadOnly, namespace }: Kept): string {
  const what = isReadOnly ? 'read' : 'everything'
  return namespace === '' ? what : `${what} in ${namespace}`
}

function endText({ until }: Kept, now: Date): string {
  if (until === '') return 'no end'
  return isOver(until, now) ? `over since ${until}` : until
}
