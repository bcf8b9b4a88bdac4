// Which fields does a JSON text repeat? JSON.parse silently takes the last.
import { mostErrors } from '../../kube/schema/schemaCheck.ts'
import { longestMessage } from '../values/longestMessage.ts'

type Frame =
  | {
      /** Whether each was repeated already. */
      readonly names: Map<string, boolean>
      name: string
      isNameNext: boolean
    }
  | { readonly names: undefined; index: number }

/**
 * The first of them, as paths such as `spec.ports[0].name`; the text must be valid JSON. All paths
 * together can be a million times as long as the text.
 */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = []
  const open: Frame[] = []
  let at = 0
  while (at < text.length && found.length < mostErrors) {
    const sign = text[at]
    const frame = open.at(-1)
    const start = at
    at = sign === '"' ? endOfText(text, at) : at + 1
    if (sign === '{') open.push({ names: new Map(), name: '', isNameNext: true })
    else if (sign === '[') open.push({ names: undefined, index: 0 })
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ',' && frame !== undefined) step(frame)
    else if (sign === '"' && frame?.names !== undefined && frame.isNameNext) {
      frame.name = JSON.parse(text.slice(start, at))
      frame.isNameNext = false
      const wasRepeated = frame.names.get(frame.name)
      if (wasRepeated === false) found.push(pathOf(open))
      frame.names.set(frame.name, wasRepeated !== undefined)
    }
  }
  return [...new Set(found)]
}

function step(frame: Frame): void {
  if (frame.names === undefined) frame.index += 1
  else frame.isNameNext = true
}

/** The position after the closing quote. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function pathOf(open: readonly Frame[]): string {
  const parts = open.map((frame) =>
    frame.names === undefined ? `[${frame.index}]` : `.${frame.name.slice(0, longestMessage)}`,
  )
  return parts.join('').slice(1, longestMessage)
}
