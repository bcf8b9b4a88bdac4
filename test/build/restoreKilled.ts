// A process that takes a backup in place of a store, and is killed before one of its calls to the file
// system. Arguments: the backup, the folder, and before which call; told on standard output: how many
// there were.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const [file = '', folder = '', which = ''] = process.argv.slice(2)
let calls = 0
const names = [
  'copyFileSync',
  'renameSync',
  'rmSync',
  'chmodSync',
  'openSync',
  'fsyncSync',
] as const
for (const name of names) {
  const real = fs[name] as (...args: unknown[]) => unknown
  const counted = (...args: unknown[]): unknown => {
    if (++calls === Number(which)) process.kill(process.pid, 'SIGKILL')
    return real(...args)
  }
  Object.assign(fs, { [name]: counted })
}
syncBuiltinESMExports()
const { restore } = await import('../../src/edge/store/storage/backup.ts')
calls = 0
restore(file, folder, { replace: true })
process.stdout.write(`${calls}\n`)
