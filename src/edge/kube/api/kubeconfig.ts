// Which cluster and user do kubeconfig files name? Merged as kubectl does: the first wins.
import { isAbsolute, join } from 'node:path'
import { meant } from '../../../core/model/meant.ts'
import { Fields, isRecord } from '../decode/fields.ts'
import { Fault } from './fault.ts'
import type { Source } from './source.ts'

/** Paths in a file are relative to its folder. */
export type KubeconfigFile = { readonly folder: string; readonly json: unknown }

export class Entry {
  readonly fields: Fields
  readonly folder: string

  constructor(fields: Fields, folder: string) {
    this.fields = fields
    this.folder = folder
  }

  path(field: string): string {
    const path = this.fields.text(field)
    return path === '' || isAbsolute(path) ? path : join(this.folder, path)
  }

  /** `certificate-authority-data` in base64 takes precedence over the file. */
  source(field: string): Source | undefined {
    const data = this.fields.text(`${field}-data`)
    if (data !== '') return { text: Buffer.from(data, 'base64').toString('utf8') }
    const file = this.path(field)
    return file === '' ? undefined : { file }
  }
}

export type Chosen = {
  readonly cluster: Entry
  readonly user: Entry
  readonly namespace: string
}

export function chooseContext(files: readonly KubeconfigFile[], wanted: string): Chosen {
  const name = wanted || currentContext(files)
  if (name === '') throw new Fault('kubeconfig: no current context, and none was given')
  const context = find(files, 'contexts', name)
  if (context === undefined) {
    const names = namesIn(files, 'contexts')
    const some = names.slice(0, 3).join(', ')
    const hint = meant(name, names) || (some === '' ? '' : `; there are others, such as ${some}`)
    throw new Fault(`kubeconfig: there is no context ${quoted(name)}${hint}`)
  }
  const { fields } = context
  const cluster = find(files, 'clusters', fields.text('cluster'))
  if (cluster === undefined) {
    const missing = quoted(fields.text('cluster'))
    throw new Fault(
      `kubeconfig: context ${quoted(name)} names a cluster ${missing} that does not exist`,
    )
  }
  const userName = fields.text('user')
  const user = userName === '' ? nobody : find(files, 'users', userName)
  if (user === undefined) {
    const missing = quoted(userName)
    throw new Fault(
      `kubeconfig: context ${quoted(name)} names a user ${missing} that does not exist`,
    )
  }
  return { cluster, user, namespace: fields.text('namespace') || 'default' }
}

/** Whether the file is empty; kubectl then tries the service account. */
export const isEmpty = ({ json }: KubeconfigFile): boolean =>
  !(isRecord(json) && ['clusters', 'contexts', 'users'].some((name) => Array.isArray(json[name])))

const quoted = (text: string): string => JSON.stringify(text)
const nobody = new Entry(new Fields({}, []), '')

function currentContext(files: readonly KubeconfigFile[]): string {
  const names = files.map(({ json }) => new Fields(json, []).text('current-context'))
  return names.find((name) => name !== '') ?? ''
}

export const namesIn = (
  files: readonly KubeconfigFile[],
  list: keyof typeof entryNames,
): string[] =>
  files.flatMap(({ json }) => new Fields(json, []).each(list).map((entry) => entry.text('name')))

const entryNames = { clusters: 'cluster', contexts: 'context', users: 'user' } as const

function find(
  files: readonly KubeconfigFile[],
  list: keyof typeof entryNames,
  name: string,
): Entry | undefined {
  for (const { folder, json } of files) {
    const named = new Fields(json, []).each(list).find((entry) => entry.text('name') === name)
    if (named) return new Entry(named.inner(entryNames[list]), folder)
  }
  return undefined
}
