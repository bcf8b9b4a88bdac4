// How do our commands reach the API that runs on a folder? With the kubeconfig it wrote there.
import { type Api, newApi } from '../../edge/kube/api/client.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import { yamlOrFault } from '../../edge/manifests/parseYaml.ts'
import type { Exit, Io } from '../cli/io.ts'
import type { Folder } from './folder.ts'
import { readKeys, trustOf } from './keys.ts'
import { whoRuns } from './running.ts'

/** The path that writes a copy of the database. */
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
    io.err(`berth: nothing runs on ${folder.path}: start 'berth up', or name the folder (--data)\n`)
    return 1
  }
  try {
    const own = { server: running.server, ca: trustOf(keys) }
    return await asAdmin(folder, io, (api) => work({ api, ...own }))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // Drop our own request from the message: the user did not make it.
    const why =
      error instanceof ApiError ? error.message.replace(/^\S+ \S+ \d+ /, '') : error.message
    io.err(`berth: ${why}\n`)
    return 1
  }
}

/** As the admin user, not as our controllers, whose writes admission does not check. */
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
