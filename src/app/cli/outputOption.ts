// How is what a verb prints chosen? The option -o of every verb that prints data.
import type { Option } from './verb.ts'

export const outputOption = (choices: readonly string[], help = 'output format'): Option => ({
  type: 'string',
  short: 'o',
  value: 'FORMAT',
  choices,
  help,
})
