// How do our own verbs ask the API that runs on a folder? With the kubeconfig that it wrote there.
import { type Api, newApi } from '../../edge/kube/api/client.ts'
import { readConnection } from '../../edge/kube/api/connection.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { yamlOrFault } from '../../edge/manifests/parseYaml.ts'
import type { Exit, Io } from '../cli/io.ts'
import type { Folder } from './folder.ts'
import { readKeys, trustOf } from './keys.ts'
import { whoRuns } from './running.ts'

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
  const { kubeconfig } = folder
  const { env, home } = io
  const connection = await readConnection({ kubeconfig, env, home, parseYaml: yamlOrFault })
  const api = newApi(connection)
  try {
    return await work({ api, server: running.server, ca: trustOf(keys) })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    io.err(`berth: ${error.message}\n`)
    return 1
  } finally {
    api.close()
  }
}
