// Which verb is meant, and are its arguments right? Help, parsing and the one place for mistakes.
import { parseArgs } from 'node:util'
import { meant } from '../../core/model/meant.ts'
import { checkWords, exampleFor, optionMistake } from './checkWords.ts'
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
  if (verb === undefined) {
    const typed = `unknown command ${JSON.stringify(name)}${verbMeant(verbs, name)}`
    return usage(io, { message: typed, see: 'berth --help' })
  }
  // What follows -- is of another command.
  const own = rest.slice(0, (rest.indexOf('--') + 1 || rest.length + 1) - 1)
  if (own.includes('--help') || own.includes('-h')) return help(verbs, name, io)
  let word = ''
  try {
    const args = parse(verb, rest)
    word = args.positionals[0] ?? ''
    checkWords(verb, args.positionals)
    return await verb.run(args, shown(io))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { message } = error
    return usage(io, { message, see: `berth ${name} --help`, ...exampleFor(verb, word, message) })
  }
}

const verbMeant = (verbs: readonly Verb[], typed: string): string =>
  meant(
    typed,
    verbs.map(({ name }) => name),
  )

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

type Mistake = { readonly message: string; readonly see: string; readonly example?: string }

function usage(io: Io, { message, see, example }: Mistake): Exit {
  const shows = example === undefined ? '' : `Example: ${example}\n`
  io.err(`berth: ${visible(message)}\n${shows}See '${see}'.\n`)
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
    throw new UsageError(optionMistake(message, options))
  }
}
