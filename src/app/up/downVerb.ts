// How is a background instance stopped? With SIGTERM to its pid; we wait until it is gone.
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isAlive } from '../../edge/host/process.ts'
import { faultFrom } from '../../edge/kube/api/fault.ts'
import type { Exit } from '../cli/io.ts'
import type { Verb } from '../cli/verb.ts'
import { dataOption, folderOf } from './dataOption.ts'
import { whoRuns } from './running.ts'

const patienceMs = 20_000

export const downVerb: Verb = {
  name: 'down',
  summary: "stop a 'berth up' that runs in the background",
  usage: ['down [--data DIR]'],
  description: `
Stops the 'berth up' that runs on that directory, and waits until it has stopped. All objects are
kept: the next 'berth up' continues with them.

Exit status: 0 stopped, or it was not running; 1 it did not stop.`,
  examples: ['berth down'],
  options: dataOption,
  async run(args, io): Promise<Exit> {
    const folder = folderOf(args, io)
    const running = whoRuns(folder)
    if (running === undefined) {
      io.out(`nothing runs on ${folder.path}\n`)
      return 0
    }
    try {
      process.kill(running.pid, 'SIGTERM')
    } catch (error) {
      if (isAlive(running)) {
        io.err(`berth: ${faultFrom(error, `process ${running.pid} cannot be stopped`).message}\n`)
        return 1
      }
    }
    for (let ms = 0; isAlive(running); ms += 20) {
      if (ms > patienceMs) {
        io.err(`berth: process ${running.pid} does not stop; see ${folder.log}\n`)
        return 1
      }
      await setTimeout(20)
    }
    io.out(`stopped: process ${running.pid}\n`)
    return 0
  },
}
