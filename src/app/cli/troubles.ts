// What kept a verb from reading everything? Told with file and line; the rest went on.
import type { Io } from './io.ts'
import type { Loaded } from './load.ts'

/** Answers how many things could not be read or would be refused. */
export function tellTroubles(loads: readonly Loaded[], io: Io): number {
  let troubles = 0
  for (const { unreadable, refused, twice } of loads) {
    for (const { source, why } of unreadable) {
      io.err(`${source.file}:${source.line}: ${why}\n`)
    }
    for (const { id, manifest, errors } of refused) {
      for (const { path, message } of errors) {
        const field = path === '' ? '' : `${path}: `
        io.err(`${manifest.source.file}:${manifest.lineOf(path)}: ${id}: ${field}${message}\n`)
      }
    }
    for (const { id, manifest, first } of twice) {
      const here = `${manifest.source.file}:${manifest.source.line}`
      io.err(
        `${here}: ${id} is also at ${first.source.file}:${first.source.line}; this one counts\n`,
      )
    }
    troubles += unreadable.length + refused.length
  }
  return troubles
}
