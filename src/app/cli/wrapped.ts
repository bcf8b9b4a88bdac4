// How does a long sentence fit under 100 columns? Broken between words, indented.
import { visible } from './visible.ts'

const columns = 98

export function wrapped(text: string, indent: number): string[] {
  const margin = ' '.repeat(indent)
  const lines: string[] = []
  let line = ''
  for (const word of visible(text).split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > columns) {
      lines.push(margin + line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(margin + line)
  return lines
}
