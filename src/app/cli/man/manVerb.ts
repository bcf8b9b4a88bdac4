// berth man: writes manual pages, one for each command.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../core/net/counted.ts'
import { makeFolders } from '../../../edge/host/makeFolders.ts'
import { faultOf } from '../../../edge/manifests/files.ts'
import type { Exit } from '../io.ts'
import { UsageError, type Verb } from '../verb.ts'
import { readVersion } from '../version.ts'
import { manOverview, manPage } from './manPage.ts'

/** The table is handed in: it lists this verb too. */
export function manVerb(verbs: () => readonly Verb[]): Verb {
  return {
    name: 'man',
    summary: 'write manual pages',
    usage: ['man DIR'],
    description: `
Writes berth.1 and a page for each command, such as berth-plan.1, to the directory, with the same
text as --help. 'npm install -g' of a release installs them.

Exit status: 0 written; 1 not written.`,
    examples: ['berth man ~/.local/share/man/man1', 'man berth-plan'],
    takes: 1,
    options: {},
    async run({ positionals: [folder] }, io): Promise<Exit> {
      if (folder === undefined) throw new UsageError('name the directory to write to')
      const edition = { version: await readVersion(), verbs: verbs() }
      const pages = [
        ['berth.1', manOverview(edition)] as const,
        ...verbs().map((verb) => [`berth-${verb.name}.1`, manPage(verb, edition)] as const),
      ]
      try {
        makeFolders(folder)
        for (const [name, text] of pages) await writeFile(join(folder, name), text)
      } catch (error) {
        io.err(`berth: ${folder}: ${faultOf(error)}\n`)
        return 1
      }
      io.out(`${counted(pages.length, 'page')} in ${folder}\n`)
      return 0
    },
  }
}
