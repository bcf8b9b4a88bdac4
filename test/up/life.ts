// One life of `berth up`: from the start of its process to its end, whenever that is.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Folder } from '../../src/app/up/folder.ts'
import { whoRuns } from '../../src/app/up/running.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { startProgram } from '../kube/program.ts'
import { until } from '../kube/waits.ts'
import { apiOf, command } from './berth.ts'

export type Life = {
  readonly ready: () => Promise<Api>
  /** null when it did not end by itself. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

const pool = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: lives, namespace: metallb-system }
spec: { addresses: [192.0.2.0/24] }
`

export function beginLife(folder: Folder, ...more: readonly string[]): Life {
  const manifest = join(folder.path, '..', 'pool.yaml')
  writeFileSync(manifest, pool)
  const program = startProgram({
    name: 'life',
    path: command,
    args: ['up', '--data', folder.path, '--port', '0', '--with', manifest, ...more],
    folder: join(folder.path, '..'),
  })
  const apis: Api[] = []
  return {
    async ready() {
      await until('it answers', () => {
        if (program.hasEnded()) throw new Error(`it has ended:\n${program.lastWords()}`)
        return whoRuns(folder)?.pid === program.pid ? true : undefined
      })
      const api = await apiOf(folder.kubeconfig)
      apis.push(api)
      return api
    },
    async end(signal) {
      await program.stop(signal)
      for (const api of apis) api.close()
      return program.status()
    },
  }
}
