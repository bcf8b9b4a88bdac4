// What does a folded schema say? A schema a line, children first; a number stands for the schema of
// that line, so that what a large CRD repeats is written once.
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'

/** The last line is the whole. */
export function unfolded(text: string): Schema {
  const known: Schema[] = []
  for (const line of text.trimEnd().split('\n')) known.push(withParts(JSON.parse(line), known))
  return known.at(-1) ?? {}
}

function withParts(folded: unknown, known: readonly Schema[]): Schema {
  if (!isRecord(folded)) return {}
  const { properties, items, additionalProperties: values, ...rest } = folded
  const part = (at: unknown): Schema => known[Number(at)] ?? {}
  return {
    ...rest,
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, at]) => [name, part(at)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: part(items) }),
    ...(values === undefined ? {} : { additionalProperties: part(values) }),
  }
}
