// Which verb is meant, and are its arguments right? Help, parsing and the one place for mistakes.
import { parseArgs } from 'node:util'
import { didYouMean, meant } from '../../core/model/meant.ts'
import { namesNear } from '../../core/model/namesNear.ts'
import { helpFor, overview } from './help.ts'
import type { Exit, Io } from './io.ts'
import { type Arguments, UsageError, type Verb } from './verb.ts'
import { visible, visibleLines } from './visible.ts'

export async function runCli(
  verbs: readonly Verb[],
  argv: readonly string[],
  io: Io,
): Promise<Exit> {
  const [name = '', ...rest] = argv
  if (['', 'help', '--help', '-h'].includes(name)) return help(verbs, rest[0], io)
  if (name === '--version' || name === '-v') return runCli(verbs, ['version'], io)
  const verb = verbs.find((one) => one.name === name)
  if (verb === undefined)
    return usage(
      `unknown command ${JSON.stringify(name)}${verbMeant(verbs, name)}`,
      'berth --help',
      io,
    )
  // What follows -- is of another command.
  const own = rest.slice(0, (rest.indexOf('--') + 1 || rest.length + 1) - 1)
  if (own.includes('--help') || own.includes('-h')) return help(verbs, name, io)
  let words: readonly string[] = []
  try {
    const args = parse(verb, rest)
    words = args.positionals
    return await verb.run(args, shown(io))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return usage(
      `${error.message}${wordMeant(verb, words[0], error.message)}`,
      `berth ${name} --help`,
      io,
    )
  }
}

const verbMeant = (verbs: readonly Verb[], typed: string): string =>
  meant(
    typed,
    verbs.map(({ name }) => name),
  )

/** Where there is only one word, or the message lists all that come near, nothing is added. */
function wordMeant({ words = [] }: Verb, typed: string | undefined, message: string): string {
  if (typed === undefined || words.length < 2 || words.includes(typed)) return ''
  const near = namesNear(typed, words)
  const isTold = near.length > 1 && near.every((word) => message.includes(word))
  return isTold || typed.length < 2 ? '' : didYouMean(near)
}

/** Whatever a verb prints, nobody else's text steers the terminal. */
const shown = (io: Io): Io => ({
  ...io,
  out: (text) => io.out(visibleLines(text)),
  err: (text) => io.err(visibleLines(text)),
  painted: io.painted ?? io.out,
})

function help(verbs: readonly Verb[], name: string | undefined, io: Io): Exit {
  const verb = verbs.find((one) => one.name === name)
  io.out(verb === undefined ? overview(verbs) : helpFor(verb))
  return 0
}

function usage(message: string, see: string, io: Io): Exit {
  io.err(`berth: ${visible(message)}\nSee '${see}'.\n`)
  return 1
}

function parse(verb: Verb, argv: readonly string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries(verb.options).map(([name, { type, short, multiple }]) => [
      name,
      {
        type,
        ...(short === undefined ? {} : { short }),
        ...(multiple === true ? { multiple } : {}),
      },
    ]),
  )
  const { values, positionals } = parsed(argv, options)
  for (const [name, { choices }] of Object.entries(verb.options)) {
    const value = values[name]
    if (choices !== undefined && typeof value === 'string' && !choices.includes(value)) {
      const what = `--${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}`
      throw new UsageError(`${what}${meant(value, choices)}`)
    }
  }
  return { values: values as Arguments['values'], positionals }
}

function parsed(argv: readonly string[], options: Parameters<typeof parseArgs>[0] & object) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true } as object)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${message.replace(/\. To specify.*$/s, '')}${flagMeant(message, options)}`,
    )
  }
}

function flagMeant(message: string, options: object): string {
  const typed = /^Unknown option '--([^']{2,})'/.exec(message)?.[1]
  if (typed === undefined) return ''
  return didYouMean(namesNear(typed, Object.keys(options)).map((name) => `--${name}`))
}
