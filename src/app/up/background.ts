// How does it go on without the terminal? As a process of its own, and we wait until it is ready.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { Fault } from '../../edge/kube/api/fault.ts'
import { storeFault } from '../../edge/store/storage/storeFault.ts'
import type { Io } from '../cli/io.ts'
import { bringManifests } from './bring.ts'
import { type Folder, makeFolder } from './folder.ts'
import { withRunning } from './ownApi.ts'
import { runsAlready, whoRuns } from './running.ts'
import type { RunWish } from './runUp.ts'

/** Says what the process in the background says, up to the line that nothing follows. */
export async function startInBackground(wish: RunWish, io: Io): Promise<void> {
  const { folder, manifests } = wish
  makeFolder(folder)
  const running = whoRuns(folder)
  if (running !== undefined) {
    if (wish.restore !== undefined) throw runsAlready(folder, running)
    io.out(`already up: ${running.server}, process ${running.pid}, data in ${folder.path}\n`)
    if (manifests.length === 0) return
    await withRunning(folder, io, async ({ api }) => {
      await bringManifests(api, manifests, io)
      return 0
    })
    return
  }
  const log = openLog(folder)
  const [node = '', main = ''] = process.argv
  const child = spawn(node, [...process.execArgv, main, 'up', ...argumentsOf(wish)], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  await started(child, wish)
  io.out(readFileSync(folder.log, 'utf8'))
  io.out(`It runs in the background and says more in ${folder.log}.\n`)
  io.out(`'${wish.down}' ends it.\n`)
}

function openLog({ log }: Folder): number {
  try {
    return openSync(log, 'w', 0o600)
  } catch (error) {
    throw storeFault(log, error)
  }
}

type Child = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>

/** It tells that it runs as the last thing before it waits. */
async function started(child: Child, { folder }: RunWish): Promise<void> {
  // Another may have been faster: then ours is refused, and says so.
  while (whoRuns(folder)?.pid !== child.pid) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const said = readFileSync(folder.log, 'utf8')
        .trim()
        .replace(/^berth: /, '')
      throw new Fault(said || `it ended without a word: is there room left for ${folder.log}?`)
    }
    await setTimeout(20)
  }
}

function argumentsOf({ folder, port, listen, manifests, ...wish }: RunWish): string[] {
  return [
    ...['--data', folder.path, '--port', String(port), '--listen', listen],
    ...manifests.flatMap((path) => ['--with', path]),
    ...(wish.restore === undefined ? [] : ['--restore', wish.restore]),
    ...(wish.isReplaced === true ? ['--replace'] : []),
  ]
}
