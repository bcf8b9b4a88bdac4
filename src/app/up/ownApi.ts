// How do our own verbs ask the API that runs on a folder? With the kubeconfig that it wrote there.
import { type Api, newApi } from '../../edge/kube/api/client.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import { yamlOrFault } from '../../edge/manifests/parseYaml.ts'
import type { Exit, Io } from '../cli/io.ts'
import type { Folder } from './folder.ts'
import { readKeys, trustOf } from './keys.ts'
import { whoRuns } from './running.ts'

/** Where the API is asked for a copy of its file. */
export const backupPath = '/berth/backup'

export type OwnApi = { readonly api: Api; readonly server: string; readonly ca: string }

export async function withRunning(
  folder: Folder,
  io: Io,
  work: (own: OwnApi) => Promise<Exit>,
): Promise<Exit> {
  const running = whoRuns(folder)
  const keys = readKeys(folder.keys)
  if (running === undefined || keys === undefined) {
    io.err(`berth: nothing runs on ${folder.path}: start it with 'berth up', or name it (--data)\n`)
    return 1
  }
  try {
    const own = { server: running.server, ca: trustOf(keys) }
    return await asAdmin(folder, io, (api) => work({ api, ...own }))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // What we asked for is of no use to who asked us.
    const why =
      error instanceof ApiError ? error.message.replace(/^\S+ \S+ \d+ /, '') : error.message
    io.err(`berth: ${why}\n`)
    return 1
  }
}

/** As the user, not as our controllers: what those write is not judged. */
export async function asAdmin<T>(
  { kubeconfig }: Folder,
  { env, home }: Io,
  work: (api: Api) => Promise<T>,
): Promise<T> {
  const api = newApi(await readConnection({ kubeconfig, env, home, parseYaml: yamlOrFault }))
  try {
    return await work(api)
  } finally {
    api.close()
  }
}
