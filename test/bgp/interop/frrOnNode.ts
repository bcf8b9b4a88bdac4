// FRR on the node, as in MetalLB's FRR mode: with the reloader that we ship, which the speaker's own
// part for it asks.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { FrrFile } from '../../../src/app/speaker/frr/frrFile.ts'
import type { FrrAsked } from '../../../src/app/speaker/frr/frrOutput.ts'
import { FrrSessions } from '../../../src/app/speaker/frr/frrSessions.ts'
import { lastReload, type ReloaderFiles } from '../../../src/edge/host/frrReloader.ts'
import { until } from '../../kube/waits.ts'
import { startFrrDaemons } from './frrDaemons.ts'
import type { Stand } from './stand.ts'

type Means = {
  /** Of FRR's files, where it has one of its own. */
  readonly root: string
  readonly key: () => string
  readonly extras: () => string
}

export type FrrOnNode = {
  readonly vtysh: (line: string) => string
  /** Ends once the reloader has answered, with what it said and what the speaker says of it. */
  readonly put: (asked: FrrAsked) => Promise<{ outcome: string; trouble: string }>
  readonly files: ReloaderFiles
  /** The speaker's own report, of what FRR says by then. */
  readonly sessions: (asked: FrrAsked) => Promise<FrrSessions>
}

export async function startFrrOnNode(stand: Stand, means: Means): Promise<FrrOnNode> {
  const { folder, inside, rooted, vtysh } = await startFrrDaemons(stand, means.root)
  const reloads = `--vty_socket ${inside} --confdir ${inside} --rundir ${inside}`
  const script = join(import.meta.dirname, '../../../deploy/helm/berth/files/frr/reloader.sh')
  copyFileSync(script, join(folder, 'reloader.sh'))
  stand.start(
    ...['node' as const, ...rooted],
    ...['env', `SHARED_VOLUME=${inside}`, `FRR_RELOAD_OPTIONS=${reloads}`],
    ...[`FRR_VTYSH_OPTIONS=--vty_socket ${inside}`, 'bash', `${inside}/reloader.sh`],
  )
  const files = { config: `${folder}/frr.conf`, pid: `${folder}/reloader.pid` }
  await until('the reloader', () => (stand.run('node', 'cat', files.pid) === '' ? undefined : true))
  const file = new FrrFile({
    files,
    keys: {
      keyOf: async () => (means.key() === '' ? undefined : Buffer.from(means.key())),
      keep: () => undefined,
    },
    logLevel: 'informational',
    extras: async () => means.extras(),
    nowMs: () => performance.now(),
  })
  return {
    files,
    vtysh,
    async sessions({ peers }) {
      const routers = () => file.fit(peers).routers
      const timestamp = () => new Date().toISOString()
      const sessions = new FrrSessions({ node: 'node-1', timestamp, routers })
      sessions.saw(await file.said())
      return sessions
    },
    async put(asked) {
      const before = lastReload(files).mark
      await file.write(asked)
      const { outcome } = await until('an answer', () => {
        const last = lastReload(files)
        return last.mark === before ? undefined : last
      })
      return { outcome, trouble: await file.write(asked) }
    },
  }
}
