// Which findings does the user not want, or weigh otherwise? Said by --ignore and by .berth.yaml,
// in the folder that is linted or in the one where lint runs.
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { recordAt, textAt } from '../../../core/model/json.ts'
import { meant } from '../../../core/model/meant.ts'
import { ignoreAnnotation, lintCodes, type Weight } from '../../../core/policy/lint/lintRules.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { faultOf, settingsFile } from '../../../edge/manifests/files.ts'
import {
  unreadable as notRead,
  readPlain,
  type Unreadable,
} from '../../../edge/manifests/manifest.ts'
import type { Given } from '../given.ts'
import type { Loaded } from '../load.ts'
import { UsageError } from '../verb.ts'

type Settings = { readonly folder: string; readonly weights: ReadonlyMap<string, Weight> }
type WeightOf = (code: string, file: string) => Weight | undefined
type Weights = { readonly weightOf: WeightOf; readonly unreadable: readonly Unreadable[] }

const weights: readonly Weight[] = ['error', 'warning', 'off']
const mostBytes = 100_000

/**
 * The nearest file counts: that of the folder before that of the working directory. What is wrong
 * in one does not count, and is told as a manifest that cannot be read; the rest of it counts.
 */
export function weightsFrom({ files, kustomized }: Given, ignored: readonly string[]): Weights {
  for (const code of ignored) {
    const why = unknownCode(code)
    if (why !== '') throw new UsageError(`--ignore: ${why}`)
  }
  const folders = [...files, ...kustomized]
    .filter((path) => path !== '-')
    .map((path) => (isFolder(path) ? resolve(path) : dirname(resolve(path))))
  const unreadable: Unreadable[] = []
  const found = [...new Set([...folders, resolve('.')])]
    .map((folder) => settingsIn(folder, unreadable))
    .sort((one, other) => other.folder.length - one.folder.length)
  const weightOf: WeightOf = (code, file) => {
    if (ignored.includes(code)) return 'off'
    const path = resolve(file)
    const isOver = ({ folder }: Settings) => file === '' || path.startsWith(`${folder}${sep}`)
    return found.find((one) => isOver(one) && one.weights.has(code))?.weights.get(code)
  }
  return { weightOf, unreadable }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The annotation on the object, as the cluster has it. */
export const ignoredOn =
  (cluster: Cluster) =>
  (object: string): string => {
    const value = recordAt(recordAt(cluster.get(object), 'metadata'), 'annotations')[
      ignoreAnnotation
    ]
    return typeof value === 'string' ? value : ''
  }

/** What annotations name that is no code: they would hide nothing, and nobody would know. */
export const strayIgnores = ({ manifests }: Loaded): readonly string[] =>
  [...manifests].flatMap(([id, { json }]) =>
    textAt(recordAt(recordAt(json, 'metadata'), 'annotations'), ignoreAnnotation)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && word !== '*')
      .flatMap((word) => unknownCode(word) || [])
      .map((why) => `${id}: ${ignoreAnnotation}: ${why}`),
  )

/** Adds to `unreadable` what is wrong. */
function settingsIn(folder: string, unreadable: Unreadable[]): Settings {
  const file = join(folder, settingsFile)
  const given = new Map<string, Weight>()
  const text = textIn(file)
  if (text === undefined) return { folder, weights: given }
  const read = 'why' in text ? notRead(file, 1, text.why) : readPlain(file, text.text)
  if (!read.ok) {
    const { source, why } = read.unreadable
    unreadable.push({ source, why: `${why}${remedy}` })
    return { folder, weights: given }
  }
  for (const entry of entriesIn(read.value)) {
    if ('weight' in entry) given.set(entry.code, entry.weight)
    else {
      const source = { file, line: read.lineOf(entry.path) }
      unreadable.push({ source, why: `${entry.why}${remedy}` })
    }
  }
  return { folder, weights: given }
}

const remedy = '; correct it as docs/guides/lint.md shows, until then it does not count'

/** Undefined where there is none. */
function textIn(file: string): { text: string } | { why: string } | undefined {
  try {
    // Whoever made the folder would otherwise have any file read, or one without an end.
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    if (!stats.isFile()) return { why: 'not a regular file' }
    if (stats.size > mostBytes) return { why: `more than ${mostBytes} bytes` }
    return { text: readFileSync(file, 'utf8') }
  } catch (error) {
    return { why: faultOf(error) }
  }
}

type Entry =
  | { readonly code: string; readonly weight: Weight }
  | { readonly path: string; readonly why: string }

function entriesIn(value: unknown): Entry[] {
  if (value === null) return []
  if (!isRecord(value)) return [{ path: '', why: 'the file must be an object with the field lint' }]
  const { lint = {}, ...others } = value
  const strays = Object.keys(others).map((key) => ({
    path: key,
    why: `unknown field ${key}; only lint is read`,
  }))
  if (!isRecord(lint))
    return [...strays, { path: 'lint', why: 'lint must be an object with ignore or severity' }]
  const { ignore = [], severity = {}, ...more } = lint
  return [
    ...strays,
    ...Object.keys(more).map((key) => ({
      path: `lint.${key}`,
      why: `lint.${key} is unknown; lint has ignore and severity`,
    })),
    ...(Array.isArray(ignore)
      ? ignore.map((code, at) => weightIn(`lint.ignore[${at}]`, String(code), 'off'))
      : [{ path: 'lint.ignore', why: 'lint.ignore must be a list of codes' }]),
    ...(isRecord(severity)
      ? Object.entries(severity).map(([code, said]) =>
          weightIn(`lint.severity.${code}`, code, said),
        )
      : [{ path: 'lint.severity', why: 'lint.severity must map codes to error, warning or off' }]),
  ]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function weightIn(path: string, code: string, said: unknown): Entry {
  const why = unknownCode(code)
  if (why !== '') return { path, why }
  // YAML reads a bare off as false.
  const weight = weights.find((one) => one === (said === false ? 'off' : said))
  if (weight !== undefined) return { code, weight }
  return { path, why: `${path} is error, warning or off, not ${JSON.stringify(said)}` }
}

/** Empty where the code is known. */
function unknownCode(code: string): string {
  if (lintCodes.has(code)) return ''
  const near = meant(code, lintCodes) || '; docs/guides/lint.md lists them'
  return `${JSON.stringify(code)} is not the code of a finding${near}`
}
