// berth export: everything that plan, lint and explain read, as files that git likes.
import { counted } from '../../../core/net/counted.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { listPages } from '../../../edge/kube/api/listPages.ts'
import { isNotFound } from '../../../edge/kube/api/notFound.ts'
import type { Resource } from '../../../edge/kube/api/resource.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { rowOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import type { LiveObject } from '../live/listAll.ts'
import { liveSettings, localOptions, withLive } from '../live/liveApi.ts'
import { liveKinds } from '../live/liveKinds.ts'
import { readSecrets, secretNamedBy } from '../live/readSecrets.ts'
import { UsageError, type Verb } from '../verb.ts'
import { visible } from '../visible.ts'
import { ExportFolder } from './exportFolder.ts'

export const exportVerb: Verb = {
  name: 'export',
  summary: 'write what plan, lint and explain read from a cluster to files',
  usage: ['export DIR [--context NAME] [--kubeconfig FILE]'],
  description: `
Reads every kind that plan, lint and explain read, and writes one file for each object to DIR, below
its kind and namespace. The text of an object changes only if the object does, so the directory can
be kept in git; files of objects that are gone are removed. For BGP passwords, only the names of the
Secrets are written. Use the directory with -f, or with plan --against, where the cluster cannot be
reached. The answers are the same, but a plan does not say what waits for a kind that is not
installed or for a namespace.

Exit status: 0 everything was written; 1 a kind could not be read, or the API could not be
reached.`,
  examples: [
    'berth export production --context production',
    'berth plan -f my-change.yaml --against production',
    'berth lint -f production',
  ],
  takes: 1,
  options: localOptions,
  async run(args, io): Promise<Exit> {
    const [folder = ''] = args.positionals
    if (folder === '') throw new UsageError('name the directory to write to')
    const { ownNamespace } = liveSettings(args, io)
    const files = await opened(folder)
    if (typeof files === 'string') {
      io.err(`${visible(`berth: ${files}`)}\n`)
      return 1
    }
    return withLive(args, io, ({ api }) => exportAll({ api, files, io, ownNamespace }))
  },
}

/** Why it cannot be written to is text. */
async function opened(folder: string): Promise<ExportFolder | string> {
  try {
    return await ExportFolder.open(folder)
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

type Work = {
  readonly api: Api
  readonly files: ExportFolder
  readonly io: Io
  readonly ownNamespace: string
}

async function exportAll(work: Work): Promise<Exit> {
  const { api, files, io, ownNamespace } = work
  const unread: string[] = []
  const named = new Set<string>()
  let gone = 0
  for (const resource of liveKinds) {
    const told = await exportKind(work, resource, (json) => {
      for (const name of secretNamedBy(json)) named.add(name)
    })
    if (typeof told === 'string') unread.push(told)
    else gone += told
  }
  const { plural } = rowOf('Secret')
  const secrets = await readSecrets(api, ownNamespace, [...named].sort())
  for (const secret of secrets.found) await files.write(plural, secret)
  if (secrets.unreadable.length === 0) gone += await files.prune(plural)
  for (const why of [...unread, ...secrets.unreadable]) {
    io.err(`${visible(`berth: not exported: ${why}`)}\n`)
  }
  const removed = gone === 0 ? '' : `, ${counted(gone, 'file')} removed`
  io.out(`${counted(files.size, 'object')} written${removed}\n`)
  return unread.length + secrets.unreadable.length === 0 ? 0 : 1
}

const maxTries = 3

/** Page by page, so that a list may be of any size. Why it cannot be read is text. */
async function exportKind(
  { api, files, io }: Work,
  resource: Resource,
  seen: (json: LiveObject) => void,
): Promise<number | string> {
  for (let left = maxTries; ; left--) {
    try {
      for await (const { items } of listPages(api, resource, io.signal)) {
        for (const item of items) {
          if (!isRecord(item)) continue
          seen(item)
          await files.write(resource.plural, item)
        }
      }
      return await files.prune(resource.plural)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 401) throw error
      if (isNotFound(error) && resource.group !== '') return files.prune(resource.plural)
      // The server no longer knows the moment of the first page: only then is it begun again.
      if (error.code !== 410 || left <= 1) return error.message
    }
  }
}
