// What kept a verb from reading everything? Told with file and line; the rest went on.
import type { Location } from '../../core/policy/lint/lintFinding.ts'
import type { Io } from './io.ts'
import type { Loaded } from './load.ts'
import { placeText } from './placeText.ts'
import { visible } from './visible.ts'

/** One sentence each, for a report. */
export function troublesIn(loads: readonly Loaded[]): string[] {
  return loads.flatMap(({ unreadable, refused }) => [
    ...unreadable.map(({ source, why }) => `${before(source)}${why}`),
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
  for (const { unreadable, refused, twice, oldConfigs, unbuilt, unplayed } of loads) {
    for (const { id, manifest } of oldConfigs) {
      const { source } = manifest
      const place = before(source)
      io.err(`${visible(`${place}${id}: ${oldConfigText}; convert it: ${convertText(source)}`)}\n`)
    }
    if (unplayed.length > 0) io.err(`${visible(unplayedText(unplayed))}\n`)
    for (const folder of unbuilt) {
      const command = `kubectl kustomize ${folder}`
      io.err(
        `${visible(`${folder} is a kustomize folder that is not built: use -k, or ${command}`)}\n`,
      )
    }
    for (const { source, why } of unreadable) {
      io.err(`${visible(`${before(source)}${why}`)}\n`)
    }
    for (const { id, manifest, errors } of refused) {
      for (const { path, message } of errors) {
        const field = path === '' ? '' : `${path}: `
        const place = before({ ...manifest.source, line: manifest.lineOf(path) })
        io.err(`${visible(`${place}${id}: ${field}${message}`)}\n`)
      }
    }
    for (const one of twice) {
      io.err(`${visible(`${before(one.manifest.source)}${one.id}: ${twiceText(one)}`)}\n`)
    }
    troubles += unreadable.length + refused.length
  }
  return troubles
}

/** What nobody reads is planned as if it were not there, which may not be what was meant. */
export function tellUnknown({ warned }: Loaded, io: Io): void {
  for (const { id, manifest, warning } of warned.filter((one) => isUnknown(one.warning))) {
    const [, path = ''] = /^unknown field "([^"]+)"/.exec(warning) ?? []
    const place = before({ ...manifest.source, line: manifest.lineOf(path) })
    io.err(`${visible(`${place}${id}: ignored: ${warning}`)}\n`)
  }
}

const isUnknown = (warning: string): boolean => /^unknown (?:field|annotation) /.test(warning)

export function unplayedText(unplayed: Loaded['unplayed']): string {
  const names = unplayed.map(({ tenant }) => `Tenant ${tenant}`).join(', ')
  return (
    `the admission policies rendered for ${names} are not evaluated: Services are shown as if ` +
    'these policies did not exist; plan the Tenants with --for metallb instead'
  )
}

export const oldConfigText =
  'this is the configuration of MetalLB before 0.13, which nothing reads any more'

/** What came from a running API is read from there. */
export const convertText = ({ file }: { readonly file: string }): string =>
  `berth migrate configmap ${['', '-'].includes(file) ? 'FILE' : file}`

export function twiceText({ manifest, first }: Loaded['twice'][number]): string {
  const [here, there] = [manifest, first].map(({ source }) => `${source.file}:${source.line}`)
  return `two objects have the same name: the one in ${here} replaces the one in ${there}`
}

/** What came from a running API stands in no file. */
const before = (place: Location): string => (place.file === '' ? '' : `${placeText(place)}: `)
