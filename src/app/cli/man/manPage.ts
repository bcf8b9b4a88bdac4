// What does `man berth-plan` say? Made from the help, so that it cannot lag behind it.
import { flagOf, optionHelp } from '../help.ts'
import type { Verb } from '../verb.ts'

type Edition = { readonly version: string; readonly verbs: readonly Verb[] }

/** In roff, with the man macros. */
export function manPage(verb: Verb, { version }: Edition): string {
  const { name, summary, usage, description, options, examples } = verb
  const flags = Object.entries(options).flatMap(([option, one]) => [
    '.TP',
    `.B ${plain(flagOf(option, one).trim())}`,
    plain(optionHelp(one)),
  ])
  return lines([
    head(`berth-${name}`, version),
    ...['.SH NAME', `${plain(`berth-${name}`)} \\- ${plain(summary)}`],
    ...['.SH SYNOPSIS', ...asWritten(usage.map((line) => `berth ${line}`))],
    ...['.SH DESCRIPTION', ...paragraphs(description)],
    ...(flags.length === 0 ? [] : ['.SH OPTIONS', ...flags]),
    ...(examples.length === 0 ? [] : ['.SH EXAMPLES', ...asWritten(examples)]),
    ...['.SH SEE ALSO', '.BR berth (1)'],
  ])
}

export function manOverview({ version, verbs }: Edition): string {
  const commands = verbs.flatMap(({ name, summary }) => [
    '.TP',
    `.BR ${plain(`berth-${name}`)} (1)`,
    plain(summary),
  ])
  return lines([
    head('berth', version),
    ...['.SH NAME', 'berth \\- addresses, announcements and names for services on bare metal'],
    ...['.SH SYNOPSIS', ...asWritten(['berth COMMAND [ARGUMENTS]'])],
    ...['.SH COMMANDS', ...commands],
  ])
}

const head = (name: string, version: string): string =>
  `.TH ${plain(name.toUpperCase())} 1 "" "berth ${version}" "Berth"`

/** Blank lines separate paragraphs; indented ones stay as they are. */
const paragraphs = (text: string): string[] =>
  text
    .trim()
    .split('\n\n')
    .flatMap((part) => {
      const all = part.split('\n')
      const isTable = all.some((line) => line.startsWith('  '))
      return isTable ? ['.PP', ...asWritten(all)] : ['.PP', ...all.map(plain)]
    })
    .slice(1)

const asWritten = (all: readonly string[]): string[] => ['.nf', ...all.map(plain), '.fi']

/** A dot or a quote at the beginning of a line would be a request. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
