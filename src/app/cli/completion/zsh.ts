// What does zsh complete?
import type { Option, Verb } from '../verb.ts'
import { quoted } from './quoted.ts'

const names = `_berth_names() {
  local -a at found
  local i
  for ((i = 2; i + 1 < CURRENT; i++)); do
    case $words[i] in
      --context|--kubeconfig) at+=("$words[i]" "$words[i+1]") ;;
    esac
  done
  found=(\${(f)"$(berth completion names $1 $at 2>/dev/null)"})
  compadd -a found
}
_berth_after() {
  local word what
  for word what in "$@"; do
    if [[ $words[CURRENT-1] == $word ]]; then _berth_names $what; return; fi
  done
  _files
}`

export function zsh(verbs: readonly Verb[]): string {
  const described = verbs.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  return `#compdef berth
${names}
_berth() {
  local -a verbs=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe verb verbs; return; fi
  local verb=$words[2]
  shift words; (( CURRENT-- ))
  case $verb in
${verbs.map(caseOf).join('\n')}
  esac
}
# As a file in fpath this is the first call of _berth, and sourced it is none.
if [[ $funcstack[1] == _berth ]]; then _berth "$@"; else compdef _berth berth; fi
`
}

function caseOf(verb: Verb): string {
  const specs = Object.entries(verb.options).map(([name, option]) => optionSpec(name, option))
  const lines = [...specs, ...placeSpecs(verb), "'*:file:_files'"]
  return `    ${verb.name}) _arguments ${[...new Set(lines)].join(' ')} ;;`
}

/** An action that begins with a space is called with its own words alone. */
function placeSpecs({ words = [], names = {} }: Verb): string[] {
  const pairs = Object.entries(names)
  const own = names['']
  if (own !== undefined) return [`'1:name: _berth_names ${own}'`]
  if (words.length === 0) return []
  const first = `'1:what:(${words.join(' ')})'`
  return pairs.length === 0 ? [first] : [first, `'2:name: _berth_after ${pairs.flat().join(' ')}'`]
}

function optionSpec(name: string, { short, type, help, choices, names: what }: Option): string {
  const found = what === undefined ? '_files' : ` _berth_names ${what}`
  const action = choices === undefined ? found : `(${choices.join(' ')})`
  const value = type === 'boolean' ? '' : `:${name}:${action}`
  const flags = short === undefined ? `--${name}` : `{-${short},--${name}}`
  return `${flags}'[${quoted(help)}]${value}'`
}
