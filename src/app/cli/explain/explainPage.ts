// How is an explanation laid out? Sections, labelled rows and marked answers, under 100 columns.
import type { Answer } from '../../../core/policy/explain/explainAnswer.ts'
import { wrapped } from '../wrapped.ts'

export type Row = readonly [label: string, text: string]
export type Section = { readonly title: string; readonly lines: readonly string[] }

const marks = { ok: '+', 'first-objection': 'x', objection: '-' } as const
export const legend = '+ yes, x the first objection, - a further one'

/** The title says the most important thing; a section without lines is left out. */
export function page(title: readonly string[], sections: readonly Section[]): string {
  const told = sections.filter(({ lines }) => lines.length > 0)
  const parts = told.map((section) => [section.title, ...section.lines].join('\n'))
  return `${[title.join('\n'), ...parts].join('\n\n')}\n`
}

/** Labels in one column, long texts hanging beside them; without a text there is no row. */
export function rows(given: readonly Row[], indent = 2): string[] {
  const told = given.filter(([, text]) => text !== '')
  const width = Math.max(0, ...told.map(([label]) => label.length))
  const margin = ' '.repeat(indent)
  return told.flatMap(([label, text]) => hanging(`${margin}${label.padEnd(width)}  `, text))
}

export function hanging(head: string, text: string): string[] {
  const [first = '', ...rest] = wrapped(text, head.length)
  return [`${head}${first.trimStart()}`.trimEnd(), ...rest]
}

export function answerLines(answers: readonly Answer[], indent = 2): string[] {
  const width = Math.max(0, ...answers.map(({ rule }) => rule.length))
  return answers.flatMap(({ rule, verdict, reason, message }) => {
    const head = `${' '.repeat(indent)}${marks[verdict]} ${rule.padEnd(width)}  `
    return hanging(head, reason === undefined ? message : `${reason}: ${message}`)
  })
}
