// What can be typed next, for the shells? Made from the verb table.
import type { Exit } from './io.ts'
import { type Option, UsageError, type Verb } from './verb.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** The table is handed in: it lists this verb too. */
export function completionVerb(verbs: () => readonly Verb[]): Verb {
  return {
    name: 'completion',
    summary: 'print a shell completion script',
    usage: [`completion ${shells.join('|')}`],
    description: `
Prints a script that completes commands, options and their values. Load it in the startup file of
your shell.`,
    examples: [
      'source <(berth completion bash)',
      'berth completion zsh > "$' + '{fpath[1]}/_berth"',
      'berth completion fish > ~/.config/fish/completions/berth.fish',
    ],
    options: {},
    words: shells,
    run({ positionals }, io): Promise<Exit> {
      const scripts = { bash, zsh, fish }
      const [shell = ''] = positionals
      if (!isShell(shell)) throw new UsageError(`name a shell: ${shells.join(', ')}`)
      io.out(scripts[shell](verbs()))
      return Promise.resolve(0)
    },
  }
}

const isShell = (text: string): text is (typeof shells)[number] =>
  shells.some((shell) => shell === text)

const flagsOf = ({ options }: Verb): string[] =>
  Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ])

const withChoices = ({ options }: Verb): [string, Option][] =>
  Object.entries(options).filter(([, { choices }]) => choices !== undefined)

function bash(verbs: readonly Verb[]): string {
  const cases = verbs.map((verb) => {
    const values = withChoices(verb).map(([name, { short, choices = [] }]) => {
      const flags = short === undefined ? `--${name}` : `--${name}|-${short}`
      const words = choices.join(' ')
      return `        ${flags}) COMPREPLY=($(compgen -W "${words}" -- "$cur")); return ;;`
    })
    const words = [...flagsOf(verb), ...(verb.words ?? []), '--help'].join(' ')
    const inner = values.length === 0 ? [] : ['      case "$prev" in', ...values, '      esac']
    return [`    ${verb.name})`, ...inner, `      words="${words}" ;;`].join('\n')
  })
  const names = verbs.map(({ name }) => name).join(' ')
  return `_berth() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$cur")); return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
}
complete -o filenames -F _berth berth
`
}

function zsh(verbs: readonly Verb[]): string {
  const described = verbs.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  const cases = verbs.map((verb) => {
    const specs = Object.entries(verb.options).map(([name, option]) => zshOption(name, option))
    const words = verb.words === undefined ? '*:file:_files' : `1:what:(${verb.words.join(' ')})`
    const lines = [...specs, `'${words}'`, "'*:file:_files'"]
    return `    ${verb.name}) _arguments ${[...new Set(lines)].join(' ')} ;;`
  })
  return `#compdef berth
_berth() {
  local -a verbs=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe verb verbs; return; fi
  local verb=$words[2]
  shift words; (( CURRENT-- ))
  case $verb in
${cases.join('\n')}
  esac
}
compdef _berth berth
`
}

function zshOption(name: string, { short, type, help, choices }: Option): string {
  const value =
    type === 'boolean' ? '' : `:${name}:${choices ? `(${choices.join(' ')})` : '_files'}`
  const flags = short === undefined ? `--${name}` : `{-${short},--${name}}`
  return `${flags}'[${quoted(help)}]${value}'`
}

function fish(verbs: readonly Verb[]): string {
  const lines = verbs.flatMap((verb) => [
    `complete -c berth -n __fish_use_subcommand -f -a ${verb.name} -d '${quoted(verb.summary)}'`,
    ...(verb.words ?? []).map((word) => `${under(verb)} -f -a ${word}`),
    ...Object.entries(verb.options).map(([name, option]) => fishOption(verb, name, option)),
  ])
  return `${lines.join('\n')}\n`
}

const under = ({ name }: Verb): string =>
  `complete -c berth -n '__fish_seen_subcommand_from ${name}'`

function fishOption(verb: Verb, name: string, { short, type, help, choices }: Option): string {
  const parts = [
    under(verb),
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(type === 'boolean' ? [] : ['-r']),
    ...(choices === undefined ? [] : [`-f -a '${choices.join(' ')}'`]),
    `-d '${quoted(help)}'`,
  ]
  return parts.join(' ')
}

/** Inside single quotes, and inside zsh's brackets. */
const quoted = (text: string): string => text.replace(/['[\]:]/g, ' ')
