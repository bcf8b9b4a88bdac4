// Are these the words that a verb takes? What is wrong with them is told before the verb runs.
import { didYouMean, meant } from '../../core/model/meant.ts'
import { namesNear } from '../../core/model/namesNear.ts'
import { UsageError, type Verb } from './verb.ts'

export function checkWords(verb: Verb, typed: readonly string[]): void {
  const { words = [], unlisted = [], takes = 0 } = verb
  const [first] = typed
  const isKnown = [...words, ...unlisted].some((word) => word === first)
  if (words.length > 0 && !isKnown) throw new UsageError(whichOf(words, first))
  const surplus = typed[takes]
  if (surplus !== undefined) throw new UsageError(unexpected(verb, surplus))
}

function whichOf(words: readonly string[], typed: string | undefined): string {
  const all = `${words.slice(0, -1).join(', ')}${words.length > 1 ? ' or ' : ''}${words.at(-1)}`
  if (typed === undefined) return `say which: ${all}`
  const near = words.length > 1 ? meant(typed, words) : ''
  return `expected ${all}, not ${JSON.stringify(typed)}${near}`
}

/** The shell makes several words of `-f *.yaml`, and only the first is the option's. */
function unexpected({ options }: Verb, word: string): string {
  const why = `unexpected argument ${JSON.stringify(word)}`
  const { file } = options
  return file === undefined ? why : `${why}: each file needs its own -f, or name their directory`
}

/** Of those that the verb has, the one for what was typed; nothing if none shows the verb. */
export function exampleFor(
  { name, words = [], unlisted = [], examples }: Verb,
  typed: string,
  message: string,
): { readonly example?: string } {
  const word = [...words, ...unlisted].includes(typed) ? typed : namesNear(typed, words)[0]
  const [option] = /(?<=^| )--?[a-z][a-z-]*/.exec(message) ?? []
  const withOption = examples.filter((one) => option !== undefined && one.includes(` ${option} `))
  const starts = [...(word === undefined ? [] : [`${name} ${word}`]), name]
  const [example] = starts.flatMap((start) => [
    ...withOption.filter((one) => isOf(one, start)),
    ...examples.filter((one) => isOf(one, start)),
  ])
  return example === undefined ? {} : { example }
}

const isOf = (example: string, start: string): boolean =>
  ` ${example} `.includes(` berth ${start} `)

/** What Node's parser says, in our words. */
export function optionMistake(message: string, options: object): string {
  const [, unknown] = /^Unknown option '(-[^']+)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const near = unknown.length > 3 ? namesNear(unknown.slice(2), Object.keys(options)) : []
    return `unknown option ${unknown}${didYouMean(near.map((name) => `--${name}`))}`
  }
  const [, missing] =
    /^Option '([^'<]+?) <value>' argument missing/.exec(message) ??
    /^Option '([^']+)' argument is ambiguous/.exec(message) ??
    []
  if (missing !== undefined) return `option ${missing} needs a value`
  const [, flag] = /^Option '([^']+)' does not take an argument/.exec(message) ?? []
  return flag === undefined ? message : `option ${flag} takes no value`
}
