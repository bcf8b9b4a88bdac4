// What does `--help` say? Made from the verb table, so that it cannot lag behind it.
import type { Option, Verb } from './verb.ts'

export function overview(verbs: readonly Verb[]): string {
  const width = Math.max(...verbs.map(({ name }) => name.length))
  const lines = verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `berth gives Kubernetes Services on bare metal an address, and announces it on the network.

Usage: berth COMMAND [ARGUMENTS]

${lines.join('\n')}

Run 'berth COMMAND --help' for details.
`
}

export function helpFor({ usage, description, options, examples }: Verb): string {
  const rows = Object.entries(options).map(
    ([name, option]) => [flagOf(name, option), option] as const,
  )
  const width = Math.max(0, ...rows.map(([flag]) => flag.length))
  const flags = rows.map(([flag, option]) => `  ${flag.padEnd(width)}  ${optionHelp(option)}`)
  const parts = [
    usage.map((line, index) => `${index === 0 ? 'Usage: ' : '       '}berth ${line}`).join('\n'),
    description.trim(),
    ...(flags.length > 0 ? [`Options:\n${flags.join('\n')}`] : []),
    ...(examples.length > 0
      ? [`Examples:\n${examples.map((line) => `  ${line}`).join('\n')}`]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** With the only values there are. */
export const optionHelp = ({ help, choices }: Option): string =>
  choices === undefined ? help : `${help} (${choices.join(', ')})`

export function flagOf(name: string, { short, type, value }: Option): string {
  const long = type === 'boolean' ? `--${name}` : `--${name} ${value ?? name.toUpperCase()}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}
