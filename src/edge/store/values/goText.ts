// How does Go print a JSON value? As in messages of Kubernetes that quote a patch.
import { isRecord } from '../../kube/decode/fields.ts'
import { jsonText } from '../../kube/schema/schemaMessages.ts'

/** As `%v`: `map[name:a ports:[80 81]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isRecord(value)) return String(value)
  const fields = sortedNames(value).map((name) => `${name}:${goText(value[name])}`)
  return `map[${fields.join(' ')}]`
}

/** As `%#v`, as it would be written in a program: `map[string]interface {}{"name":"a"}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (Array.isArray(value)) return `${goType(value)}{${value.map(goSyntax).join(', ')}}`
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = sortedNames(value).map(
    (name) => `${JSON.stringify(name)}:${goSyntax(value[name])}`,
  )
  return `${goType(value)}{${fields.join(', ')}}`
}

/** As `%T`. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (isRecord(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : '<nil>'
}

/** As Go's decoder names the type of a value. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** As Go's encoder writes it: keys sorted, safe inside HTML. */
export const goJson = (value: unknown): string =>
  jsonText(value).replace(/[<>&\u2028\u2029]/g, escaped)

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

const sortedNames = (object: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(object).sort()
