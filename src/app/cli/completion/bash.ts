// What does bash complete?
import type { Verb } from '../verb.ts'

const names = `_berth_names() {
  local at=() i
  for ((i = 1; i + 1 < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      --context|--kubeconfig) at+=("\${COMP_WORDS[i]}" "\${COMP_WORDS[i+1]}") ;;
    esac
  done
  COMPREPLY=($(compgen -W "$(berth completion names "$1" "\${at[@]}" 2>/dev/null)" -- "$2"))
}`

export function bash(verbs: readonly Verb[]): string {
  const cases = verbs.map(caseOf).join('\n')
  const all = verbs.map(({ name }) => name).join(' ')
  return `${names}
_berth() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${all} --help --version" -- "$cur")); return
  fi
  case "\${COMP_WORDS[1]}" in
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
