// How does it run without a terminal? As a process of its own; we wait until it is ready.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { Fault } from '../../edge/kube/api/fault.ts'
import { fileIn } from '../../edge/store/storage/databaseFile.ts'
import { makeRoom } from '../../edge/store/storage/spare.ts'
import type { Io } from '../cli/io.ts'
import { bringManifests } from './bring.ts'
import { makeFolder } from './folder.ts'
import { nodeFlags } from './nodeFlags.ts'
import { withRunning } from './ownApi.ts'
import { type Running, runsAlready, whoRuns } from './running.ts'
import type { RunOptions } from './runUp.ts'
import { openLog, type UpLog } from './upLog.ts'

/** Repeats the output of the background process until it is ready. */
export async function startInBackground(options: RunOptions, io: Io): Promise<void> {
  const { folder, manifests } = options
  const unmake = makeFolder(folder)
  const running = whoRuns(folder)
  if (running !== undefined) {
    if (options.restore !== undefined) throw runsAlready(folder, running)
    refuseOther(options, running)
    io.out(`already up: ${running.server}, process ${running.pid}, data in ${folder.path}\n`)
    if (running.isAnnouncing === true) io.out('speaker     answers for addresses of Services\n')
    if (manifests.length === 0) return
    await withRunning(folder, io, async ({ api }) => {
      await bringManifests(api, manifests, io)
      return 0
    })
    return
  }
  makeRoom(fileIn(folder.path))
  const log = openLog(folder, new Date())
  try {
    await started(spawned(options, log.descriptor, io), options, log)
    io.out(log.said())
  } catch (error) {
    if (log.isNew && readdirSync(folder.path).length === 1) rmSync(folder.log, { force: true })
    unmake()
    throw error
  } finally {
    log.close()
  }
  io.out(`It runs in the background and logs to ${folder.log}.\n`)
  io.out(`Stop it with '${options.down}'.\n`)
}

function spawned(options: RunOptions, log: number, io: Io): ChildProcess {
  const [node = '', main = ''] = process.argv
  const args = [...process.execArgv, ...nodeFlags, main, 'up', ...argumentsOf(options)]
  const stdio: StdioOptions = ['ignore', log, log]
  const child = spawn(node, args, { detached: true, stdio, env: io.env })
  child.unref()
  return child
}

/**
 * A running instance keeps its options; a script that wants others must not believe it has them.
 */
function refuseOther({ asked, folder, down, ...options }: RunOptions, running: Running): void {
  const { server, listen = options.listen } = running
  const port = Number(new URL(server).port || 443)
  const others = asked.filter((name) =>
    name === 'port' ? ![0, port].includes(options.port) : options.listen !== listen,
  )
  const flags = others.map((name) => `--${name} ${options[name]}`)
  if (options.isAnnouncing && running.isAnnouncing !== true) flags.push('--announce')
  if (flags.length === 0) return
  throw new Fault(
    `already running on ${folder.path}, as ${server}: ${flags.join(' and ')} cannot be applied. ` +
      `Stop it first with '${down}'`,
  )
}

type Child = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>

/** Writing that it runs is the last thing the child does before it waits. */
async function started(child: Child, { folder }: RunOptions, log: UpLog): Promise<void> {
  // Another instance may have been faster: then ours is refused, with a message.
  while (whoRuns(folder)?.pid !== child.pid) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const said = log
        .said()
        .trim()
        .replace(/^berth: /, '')
      throw new Fault(said || `it exited without a message; is there space left for ${folder.log}?`)
    }
    await setTimeout(20)
  }
}

function argumentsOf({ folder, port, listen, manifests, ...options }: RunOptions): string[] {
  return [
    ...['--data', folder.path, '--port', String(port), '--listen', listen],
    ...manifests.flatMap((path) => ['--with', path]),
    ...(options.restore === undefined ? [] : ['--restore', options.restore]),
    ...(options.isReplaced === true ? ['--replace'] : []),
    ...(options.isAnnouncing ? ['--announce'] : []),
    ...(options.isNode ? [] : ['--no-node']),
  ]
}
