// How does it go on without the terminal? As a process of its own, and we wait until it is ready.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Io } from '../cli/io.ts'
import { makeFolder } from './folder.ts'
import { whoRuns } from './running.ts'
import type { RunWish } from './runUp.ts'

/** Says what the process in the background says, up to the line that nothing follows. */
export async function startInBackground(wish: RunWish, io: Io): Promise<void> {
  const { folder } = wish
  makeFolder(folder)
  const running = whoRuns(folder)
  if (running !== undefined) {
    io.out(`already up: ${running.server}, process ${running.pid}, data in ${folder.path}\n`)
    return
  }
  const log = openSync(folder.log, 'w', 0o600)
  const [node = '', main = ''] = process.argv
  const child = spawn(node, [...process.execArgv, main, 'up', ...argumentsOf(wish)], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  await started(child, wish)
  io.out(readFileSync(folder.log, 'utf8'))
  io.out(`It runs in the background and says more in ${folder.log}; 'berth down' ends it.\n`)
}

type Child = { readonly exitCode: number | null; readonly signalCode: unknown }

/** It tells that it runs as the last thing before it waits. */
async function started(child: Child, { folder }: RunWish): Promise<void> {
  while (whoRuns(folder) === undefined) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const said = readFileSync(folder.log, 'utf8')
        .trim()
        .replace(/^berth: /, '')
      throw new Fault(said || 'it ended without a word')
    }
    await setTimeout(20)
  }
}

function argumentsOf({ folder, port, listen, manifests, restore }: RunWish): string[] {
  return [
    ...['--data', folder.path, '--port', String(port), '--listen', listen],
    ...manifests.flatMap((path) => ['--with', path]),
    ...(restore === undefined ? [] : ['--restore', restore]),
  ]
}
