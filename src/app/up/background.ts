// How does it go on without the terminal? As a process of its own, and we wait until it is ready.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Io } from '../cli/io.ts'
import { bringManifests } from './bring.ts'
import { makeFolder } from './folder.ts'
import { nodeFlags } from './nodeFlags.ts'
import { withRunning } from './ownApi.ts'
import { type Running, runsAlready, whoRuns } from './running.ts'
import type { RunWish } from './runUp.ts'
import { openLog, type UpLog } from './upLog.ts'

/** Says what the process in the background says, up to the line that nothing follows. */
export async function startInBackground(wish: RunWish, io: Io): Promise<void> {
  const { folder, manifests } = wish
  const unmake = makeFolder(folder)
  const running = whoRuns(folder)
  if (running !== undefined) {
    if (wish.restore !== undefined) throw runsAlready(folder, running)
    refuseOther(wish, running)
    io.out(`already up: ${running.server}, process ${running.pid}, data in ${folder.path}\n`)
    if (running.isAnnouncing === true) io.out('speaker     answers for addresses of Services\n')
    if (manifests.length === 0) return
    await withRunning(folder, io, async ({ api }) => {
      await bringManifests(api, manifests, io)
      return 0
    })
    return
  }
  const log = openLog(folder, new Date())
  try {
    await started(spawned(wish, log.descriptor, io), wish, log)
    io.out(log.said())
  } catch (error) {
    if (log.isNew && readdirSync(folder.path).length === 1) rmSync(folder.log, { force: true })
    unmake()
    throw error
  } finally {
    log.close()
  }
  io.out(`It runs in the background and says more in ${folder.log}.\n`)
  io.out(`'${wish.down}' ends it.\n`)
}

function spawned(wish: RunWish, log: number, io: Io): ChildProcess {
  const [node = '', main = ''] = process.argv
  const args = [...process.execArgv, ...nodeFlags, main, 'up', ...argumentsOf(wish)]
  const stdio: StdioOptions = ['ignore', log, log]
  const child = spawn(node, args, { detached: true, stdio, env: io.env })
  child.unref()
  return child
}

/** What runs goes on as it is: a script that asked for something else must not take it for that. */
function refuseOther({ asked, folder, down, ...wish }: RunWish, running: Running): void {
  const { server, listen = wish.listen } = running
  const port = Number(new URL(server).port || 443)
  const others = asked.filter((name) =>
    name === 'port' ? ![0, port].includes(wish.port) : wish.listen !== listen,
  )
  const flags = others.map((name) => `--${name} ${wish[name]}`)
  if (wish.isAnnouncing && running.isAnnouncing !== true) flags.push('--announce')
  if (flags.length === 0) return
  throw new Fault(
    `it runs already on ${folder.path}, as ${server}: ${flags.join(' and ')} cannot be applied. ` +
      `End it first, with '${down}'`,
  )
}

type Child = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>

/** It tells that it runs as the last thing before it waits. */
async function started(child: Child, { folder }: RunWish, log: UpLog): Promise<void> {
  // Another may have been faster: then ours is refused, and says so.
  while (whoRuns(folder)?.pid !== child.pid) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const said = log
        .said()
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
    ...(wish.isAnnouncing ? ['--announce'] : []),
  ]
}
