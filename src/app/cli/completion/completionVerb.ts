// What can be typed next, for the shells? Scripts made from the verb table; names of objects are
// asked for when they are needed.
import type { Exit } from '../io.ts'
import { liveOptions } from '../live/liveApi.ts'
import { UsageError, type Verb } from '../verb.ts'
import { bash } from './bash.ts'
import { fish } from './fish.ts'
import { named } from './named.ts'
import { printNames } from './objectNames.ts'
import { zsh } from './zsh.ts'

const shells = ['bash', 'zsh', 'fish'] as const
const scripts = { bash, zsh, fish }

/** The table is handed in: it lists this verb too. */
export function completionVerb(verbs: () => readonly Verb[]): Verb {
  return {
    name: 'completion',
    summary: 'print a shell completion script',
    usage: [`completion ${shells.join('|')}`, 'completion names KIND [--context NAME]'],
    description: `
Prints a script that completes commands, options and their values, and the names of Services, pools,
tenants, nodes and other objects, which it reads from the running API. Load it in the startup file
of your shell.

The scripts call 'completion names' for the names of one kind, one per line. KIND is
${kindsText()}.`,
    examples: [
      'source <(berth completion bash)',
      'berth completion zsh > "$' + '{fpath[1]}/_berth"',
      'berth completion fish > ~/.config/fish/completions/berth.fish',
    ],
    options: liveOptions,
    words: [...shells, 'names'],
    takes: 2,
    run(args, io): Promise<Exit> {
      const [shell = '', what] = args.positionals
      const kind = named.find((one) => one === what)
      if (shell === 'names' && kind !== undefined) return printNames(kind, args, io)
      if (!isShell(shell)) throw new UsageError(`name a kind: ${kindsText()}`)
      if (what !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(what)}`)
      io.out(scripts[shell](verbs()))
      return Promise.resolve(0)
    },
  }
}

const kindsText = (): string => `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`

const isShell = (text: string): text is (typeof shells)[number] =>
  shells.some((shell) => shell === text)
