// How do rows become a table? Each column is as wide as its longest cell, up to a width at which
// the rest still fits.
import { visible } from './visible.ts'

const widest = 48

export function aligned(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visible))
  const columns = Math.max(0, ...shown.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...shown.map((row) => row[at]?.length ?? 0)),
  )
  return shown.map((row) =>
    row
      .map((text, at) => text.padEnd(Math.min(widths[at] ?? 0, widest)))
      .join('  ')
      .trimEnd(),
  )
}
