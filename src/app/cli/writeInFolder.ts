// How is a file written into a folder that others may write to as well, such as one in git? Never
// through a link, which could lead anywhere.
import { constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from '../../edge/host/makeFolders.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { faultOf } from '../../edge/manifests/files.ts'
import type { Exit, Io } from './io.ts'

/** For verbs that write files and ask no API. */
export async function tellingFaults(io: Pick<Io, 'err'>, work: () => Promise<Exit>): Promise<Exit> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    io.err(`berth: ${error.message}\n`)
    return 1
  }
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
const flag = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW

/** Answers its path. */
export async function writeInFolder(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name)
  try {
    makeFolders(folder)
    await writeFile(file, text, { flag })
    return file
  } catch (error) {
    if (Object(error).code !== 'ELOOP') throw new Fault(`${file}: ${faultOf(error)}`)
    throw new Fault(`${file} is a link: remove it, or name another folder`)
  }
}
