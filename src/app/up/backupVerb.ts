// How is everything kept elsewhere? As one file of one moment, also while others write.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Fault } from '../../edge/kube/api/fault.ts'
import { fileIn } from '../../edge/store/storage/databaseFile.ts'
import { Objects } from '../../edge/store/storage/objects.ts'
import type { Exit, Io } from '../cli/io.ts'
import { type Arguments, UsageError, type Verb } from '../cli/verb.ts'
import { dataOption, folderOf } from './dataOption.ts'
import type { Folder } from './folder.ts'
import { withRunning } from './ownApi.ts'
import { whoRuns } from './running.ts'
import { backupPath } from './startStore.ts'

export const backupVerb: Verb = {
  name: 'backup',
  summary: "write what 'berth up' keeps into one file",
  usage: ['backup FILE [--data DIR]'],
  description: `
Writes all that the embedded API keeps, as of one moment, also while it runs and others write.
A file that is there already is not overwritten. It holds Secrets as they are: keep it safe.
'berth up --restore FILE' begins with it, on another machine too.

Exit status: 0 written, 1 not.`,
  examples: ['berth backup before-the-upgrade.db'],
  options: dataOption,
  async run(args: Arguments, io: Io): Promise<Exit> {
    const [name = '', ...more] = args.positionals
    if (name === '' || more.length > 0) throw new UsageError('name one file to write')
    const file = resolve(name)
    const folder = folderOf(args, io)
    const exit =
      whoRuns(folder) === undefined
        ? await ofFolder(folder, file, io)
        : await asked(folder, file, io)
    if (exit === 0) io.out(`written: ${file}\n`)
    return exit
  },
}

const asked = (folder: Folder, file: string, io: Io): Promise<Exit> =>
  withRunning(folder, io, async ({ api }) => {
    await api.call({ method: 'POST', path: backupPath, query: { file } })
    return 0
  })

/** Nobody runs, so that the file is ours to read. */
async function ofFolder(folder: Folder, file: string, io: Io): Promise<Exit> {
  if (!existsSync(fileIn(folder.path))) {
    io.err(`berth: nothing is kept in ${folder.path}: name another folder (--data)\n`)
    return 1
  }
  try {
    const objects = Objects.open(folder.path)
    await objects.backup(file)
    objects.close()
    return 0
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    io.err(`berth: ${error.message}\n`)
    return 1
  }
}
