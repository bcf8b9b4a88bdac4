// What is a verb? One entry of a table that parses arguments, prints help and makes completion.
import type { Named } from './completion/named.ts'
import type { Exit, Io } from './io.ts'

export type Option = {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  readonly help: string
  /** What stands for the value in help: FILE|DIR. */
  readonly value?: string
  /** The only values there are, for help, checks and completion. */
  readonly choices?: readonly string[]
  /** What its value names, for completion. */
  readonly names?: Named
}

export type Arguments = {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

export type Verb = {
  readonly name: string
  /** One line of the list of verbs. */
  readonly summary: string
  /** Lines after `berth`, such as `plan -f FILE|DIR... [--against DIR]`. */
  readonly usage: readonly string[]
  /** What it does, what it prints, what the exit status means. */
  readonly description: string
  readonly examples: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** First positional words that completion offers. */
  readonly words?: readonly string[]
  /** Further first words, which are not offered. */
  readonly unlisted?: readonly string[]
  /** What is named after that word; after the verb itself where the word is empty. */
  readonly names?: Readonly<Record<string, Named>>
  /** How many words it takes beside options; none if not said. */
  readonly takes?: number
  readonly run: (args: Arguments, io: Io) => Promise<Exit>
}

/** A mistake in the arguments: told with a pointer to help, exit 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const textOf = ({ values }: Arguments, name: string): string => {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}
export const textsOf = ({ values }: Arguments, name: string): readonly string[] => {
  const value = values[name]
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value : []
}
export const isSet = ({ values }: Arguments, name: string): boolean => values[name] === true
