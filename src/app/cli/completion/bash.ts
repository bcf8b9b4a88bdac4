// What does bash complete?
import type { Verb } from '../verb.ts'

/** To bash the colons of an IPv6 address are words, and it replaces what follows the last one. */
const names = `_berth_typed() {
  local i at
  typed=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    at=$((\${#typed[@]} - 1))
    if [[ $COMP_WORDBREAKS == *:* && $at -ge 0 ]] &&
      [[ \${COMP_WORDS[i]} == :* || \${typed[at]} == *: ]]; then
      typed[at]+=\${COMP_WORDS[i]}
    else
      typed+=("\${COMP_WORDS[i]}")
    fi
  done
}
_berth_names() {
  local at=() i begun=""
  for ((i = 1; i + 2 < \${#typed[@]}; i++)); do
    case \${typed[i]} in
      --context|--kubeconfig) at+=("\${typed[i]}" "\${typed[i+1]}") ;;
    esac
  done
  COMPREPLY=($(compgen -W "$(berth completion names "$1" "\${at[@]}" 2>/dev/null)" -- "$2"))
  [[ $COMP_WORDBREAKS == *:* && $2 == *:* ]] && begun=\${2%:*}:
  COMPREPLY=("\${COMPREPLY[@]#"$begun"}")
  compopt +o filenames 2>/dev/null
}`

export function bash(verbs: readonly Verb[]): string {
  const cases = verbs.map(caseOf).join('\n')
  const all = verbs.map(({ name }) => name).join(' ')
  return `${names}
_berth() {
  local typed cur prev words=""
  _berth_typed
  cur=\${typed[\${#typed[@]}-1]}
  prev=\${typed[\${#typed[@]}-2]}
  if [ "\${#typed[@]}" -eq 2 ]; then
    COMPREPLY=($(compgen -W "${all} --help --version" -- "$cur")); return
  fi
  case "\${typed[1]}" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
}
complete -o filenames -F _berth berth
`
}

function caseOf(verb: Verb): string {
  const answers = [...optionAnswers(verb), ...nameAnswers(verb)]
  const words = [...flagsOf(verb), ...(verb.words ?? []), '--help'].join(' ')
  const inner = answers.length === 0 ? [] : ['      case "$prev" in', ...answers, '      esac']
  return [`    ${verb.name})`, ...inner, `      words="${words}" ;;`].join('\n')
}

const flagsOf = ({ options }: Verb): string[] =>
  Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ])

function optionAnswers({ options }: Verb): string[] {
  return Object.entries(options).flatMap(([name, { short, choices, names }]) => {
    const flags = short === undefined ? `--${name}` : `--${name}|-${short}`
    if (names !== undefined) return [`        ${flags}) _berth_names ${names} "$cur"; return ;;`]
    if (choices === undefined) return []
    const words = choices.join(' ')
    return [`        ${flags}) COMPREPLY=($(compgen -W "${words}" -- "$cur")); return ;;`]
  })
}

/** An option may stand in the same place. */
const nameAnswers = ({ name: verb, names = {} }: Verb): string[] =>
  Object.entries(names).map(
    ([word, what]) =>
      `        ${word || verb}) [[ $cur == -* ]] || { _berth_names ${what} "$cur"; return; } ;;`,
  )
