// What does fish complete?
import type { Option, Verb } from '../verb.ts'
import { quoted } from './quoted.ts'

const names = `function __berth_names
  set -l at
  set -l words (commandline -opc)
  for i in (seq 2 (math (count $words) - 1))
    contains -- $words[$i] --context --kubeconfig; and set -a at $words[$i] $words[(math $i + 1)]
  end
  berth completion names $argv[1] $at 2>/dev/null
end
function __berth_verb
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end
function __berth_after
  set -l words (commandline -opc)
  contains -- $words[-1] $argv
end`

export function fish(verbs: readonly Verb[]): string {
  const lines = verbs.flatMap((verb) => [
    `complete -c berth -n __fish_use_subcommand -f -a ${verb.name} -d '${quoted(verb.summary)}'`,
    ...wordLines(verb),
    ...nameLines(verb),
    ...Object.entries(verb.options).map(([name, option]) => optionLine(verb, name, option)),
  ])
  return `${[names, ...lines].join('\n')}\n`
}

const under = ({ name }: Verb): string => `complete -c berth -n '__berth_verb ${name}'`

const nameLines = (verb: Verb): string[] =>
  Object.entries(verb.names ?? {}).map(([word, what]) => {
    const isHere = `__berth_verb ${verb.name}; and __berth_after ${word || verb.name}`
    return `complete -c berth -n '${isHere}' -f -a '(__berth_names ${what})'`
  })

const wordLines = ({ name, words = [] }: Verb): string[] =>
  words.map(
    (word) =>
      `complete -c berth -n '__berth_verb ${name}; and __berth_after ${name}' -f -a ${word}`,
  )

function optionLine(verb: Verb, name: string, option: Option): string {
  const { short, type, help, choices, names: what } = option
  const found = what === undefined ? [] : [`-f -a '(__berth_names ${what})'`]
  const parts = [
    under(verb),
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(type === 'boolean' ? [] : ['-r']),
    ...(choices === undefined ? found : [`-f -a '${choices.join(' ')}'`]),
    `-d '${quoted(help)}'`,
  ]
  return parts.join(' ')
}
