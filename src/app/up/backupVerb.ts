// How is everything kept elsewhere? As one file of one moment, also while others write.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Fault } from '../../edge/kube/api/fault.ts'
import { fileIn } from '../../edge/store/storage/databaseFile.ts'
import { Objects } from '../../edge/store/storage/objects.ts'
import type { Exit, Io } from '../cli/io.ts'
import { type Arguments, isSet, UsageError, type Verb } from '../cli/verb.ts'
import { dataOption, folderOf } from './dataOption.ts'
import type { Folder } from './folder.ts'
import { backupPath, withRunning } from './ownApi.ts'
import { whoRuns } from './running.ts'

export const backupVerb: Verb = {
  name: 'backup',
  summary: "back up the data of 'berth up' to one file",
  usage: ['backup FILE [--overwrite] [--data DIR]'],
  description: `
Writes a consistent copy of all objects of the embedded API, even while it runs and clients write.
The file contains Secrets in plain text: keep it safe. To restore it, on this or another machine,
run 'berth up --restore FILE'.

Exit status: 0 written; 1 not written.`,
  examples: ['berth backup before-the-upgrade.db'],
  takes: 1,
  options: {
    ...dataOption,
    overwrite: { type: 'boolean', help: 'overwrite an existing file' },
  },
  async run(args: Arguments, io: Io): Promise<Exit> {
    const [name = ''] = args.positionals
    if (name === '') throw new UsageError('name the file to write')
    const wanted = { file: resolve(name), overwrite: isSet(args, 'overwrite') }
    const folder = folderOf(args, io)
    const isRunning = whoRuns(folder) !== undefined
    const exit = await (isRunning ? ask : copy)(folder, wanted, io)
    if (exit === 0) io.out(`written: ${wanted.file}\n`)
    return exit
  },
}

type Wanted = { readonly file: string; readonly overwrite: boolean }

const patienceMs = 3_600_000

function ask(folder: Folder, { file, overwrite }: Wanted, io: Io): Promise<Exit> {
  return withRunning(folder, io, async ({ api }) => {
    const query = { file, overwrite: String(overwrite) }
    await api.call({ method: 'POST', path: backupPath, query, timeoutMs: patienceMs })
    return 0
  })
}

/** Nobody runs, so that the file is ours to read. */
async function copy(folder: Folder, { file, overwrite }: Wanted, io: Io): Promise<Exit> {
  if (!existsSync(fileIn(folder.path))) {
    io.err(`berth: nothing is kept in ${folder.path}: name another folder (--data)\n`)
    return 1
  }
  try {
    const objects = Objects.open(folder.path)
    await objects.backup(file, { overwrite })
    objects.close()
    return 0
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    io.err(`berth: ${error.message}\n`)
    return 1
  }
}
