// What kept a verb from reading everything? Told with file and line; the rest went on.
import type { Io } from './io.ts'
import type { Loaded } from './load.ts'
import { visible } from './visible.ts'

/** One sentence each, for a report. */
export function troublesIn(loads: readonly Loaded[]): string[] {
  return loads.flatMap(({ unreadable, refused }) => [
    ...unreadable.map(({ source, why }) => `${placeText(source.file, source.line)}${why}`),
    ...refused.map(({ id, errors }) => {
      const texts = errors.map(({ path, message }) =>
        path === '' ? message : `${path}: ${message}`,
      )
      return `${id}: ${texts.join('; ')}`
    }),
  ])
}

/** Answers how many things could not be read or would be refused. */
export function tellTroubles(loads: readonly Loaded[], io: Io): number {
  let troubles = 0
  for (const { unreadable, refused, twice, unbuilt } of loads) {
    for (const folder of unbuilt) {
      const command = `kubectl kustomize ${folder}`
      io.err(
        `${visible(`${folder} is a kustomize folder that is not built: use -k, or ${command}`)}\n`,
      )
    }
    for (const { source, why } of unreadable) {
      io.err(`${visible(`${placeText(source.file, source.line)}${why}`)}\n`)
    }
    for (const { id, manifest, errors } of refused) {
      for (const { path, message } of errors) {
        const field = path === '' ? '' : `${path}: `
        const place = placeText(manifest.source.file, manifest.lineOf(path))
        io.err(`${visible(`${place}${id}: ${field}${message}`)}\n`)
      }
    }
    for (const one of twice) {
      const { file, line } = one.manifest.source
      io.err(`${visible(`${placeText(file, line)}${one.id}: ${twiceText(one)}`)}\n`)
    }
    troubles += unreadable.length + refused.length
  }
  return troubles
}

export function twiceText({ manifest, first }: Loaded['twice'][number]): string {
  const [here, there] = [manifest, first].map(({ source }) => `${source.file}:${source.line}`)
  return `two objects have the same name: the one in ${here} replaces the one in ${there}`
}

/** What came from a running API stands in no file. */
const placeText = (file: string, line: number): string => (file === '' ? '' : `${file}:${line}: `)
