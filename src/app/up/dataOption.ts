// Which data directory is meant? The same flag for every command that belongs to `berth up`.
import type { Io } from '../cli/io.ts'
import { type Arguments, type Option, textOf } from '../cli/verb.ts'
import { chosenFolder, type Folder } from './folder.ts'

export const dataOption = {
  data: {
    type: 'string',
    value: 'DIR',
    help: 'data directory (default ~/.local/share/berth)',
  },
} as const satisfies Record<string, Option>

export const folderOf = (args: Arguments, { env, home }: Io): Folder =>
  chosenFolder(textOf(args, 'data'), env, home)
