// Which findings does the user not want, or weigh otherwise? Said by --ignore and by .berth.yaml,
// in the folder that is linted or in the one where lint runs.
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { recordAt } from '../../../core/model/json.ts'
import { meant } from '../../../core/model/meant.ts'
import { ignoreAnnotation, lintCodes, type Weight } from '../../../core/policy/lint/lintRules.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { settingsFile } from '../../../edge/manifests/files.ts'
import { parseYaml } from '../../../edge/manifests/parseYaml.ts'
import type { Given } from '../given.ts'
import { UsageError } from '../verb.ts'

type Settings = { readonly folder: string; readonly weights: ReadonlyMap<string, Weight> }
type WeightOf = (code: string, file: string) => Weight | undefined

const weights: readonly Weight[] = ['error', 'warning', 'off']
const mostBytes = 100_000

/** The nearest file counts: that of the folder before that of the working directory. */
export function weightsFrom({ files, kustomized }: Given, ignored: readonly string[]): WeightOf {
  for (const code of ignored) refuseUnknown(code, '--ignore')
  const folders = [...files, ...kustomized]
    .filter((path) => path !== '-')
    .map((path) => (isFolder(path) ? resolve(path) : dirname(resolve(path))))
  const found = [...new Set([...folders, resolve('.')])]
    .filter((folder) => existsSync(join(folder, settingsFile)))
    .map(settingsIn)
    .sort((one, other) => other.folder.length - one.folder.length)
  return (code, file) => {
    if (ignored.includes(code)) return 'off'
    const path = resolve(file)
    const isOver = ({ folder }: Settings) => file === '' || path.startsWith(`${folder}${sep}`)
    return found.find((one) => isOver(one) && one.weights.has(code))?.weights.get(code)
  }
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

function settingsIn(folder: string): Settings {
  const file = join(folder, settingsFile)
  // Whoever made the folder would otherwise have any file read, or one without an end.
  const stats = lstatSync(file)
  if (!stats.isFile()) throw new UsageError(`${file} is not a regular file`)
  if (stats.size > mostBytes) throw new UsageError(`${file} has more than ${mostBytes} bytes`)
  const read = parseYaml(readFileSync(file, 'utf8'))
  if (!read.ok) throw new UsageError(`${file}: ${read.why}`)
  const lint = recordAt(read.value, 'lint')
  const [stray] = Object.keys(lint).filter((key) => !['ignore', 'severity'].includes(key))
  if (stray !== undefined)
    throw new UsageError(`${file}: lint.${stray} is neither ignore nor severity`)
  const { ignore = [] } = lint
  if (!Array.isArray(ignore)) throw new UsageError(`${file}: lint.ignore is a list of codes`)
  const entries = [
    ...ignore.map((code): [string, unknown] => [String(code), 'off']),
    // YAML reads a bare off as false.
    ...Object.entries(recordAt(lint, 'severity')).map(([code, weight]): [string, unknown] => [
      code,
      weight === false ? 'off' : weight,
    ]),
  ]
  return { folder, weights: new Map(entries.map((entry) => weightIn(file, entry))) }
}

function weightIn(file: string, [code, said]: readonly [string, unknown]): [string, Weight] {
  refuseUnknown(code, file)
  const weight = weights.find((one) => one === said)
  if (weight !== undefined) return [code, weight]
  throw new UsageError(`${file}: lint.severity.${code} is error, warning or off, not ${said}`)
}

function refuseUnknown(code: string, where: string): void {
  if (lintCodes.has(code)) return
  const near = meant(code, lintCodes) || '; docs/guides/lint.md lists them'
  throw new UsageError(`${where}: ${JSON.stringify(code)} is not the code of a finding${near}`)
}
