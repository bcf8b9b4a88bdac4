// Which messages does Kubernetes use to refuse a value? Those of kube-openapi and field errors.
import type { FieldError } from '../../../core/model/admission.ts'
import { isRecord } from '../decode/fields.ts'

export const invalid = (path: string, value: unknown, detail: string): FieldError => ({
  path,
  message: `Invalid value: ${jsonText(value)}: ${detail}`,
})

/** Keeps the path that Kubernetes leaves out (`<nil>`): lint needs it to find the line. */
export const composed = (path: string, detail: string): FieldError => invalid(path, '', detail)

export const wrongType = (path: string, wanted: string, found: string): FieldError =>
  invalid(path, found, `${path} in body must be of type ${wanted}: ${jsonText(found)}`)

export function unsupported(path: string, value: unknown, allowed: readonly unknown[]): FieldError {
  const texts = allowed.map((each) => jsonText(typeof each === 'string' ? each : jsonText(each)))
  const message = `Unsupported value: ${jsonText(value)}: supported values: ${texts.join(', ')}`
  return { path, message }
}

export const duplicate = (path: string, value: unknown): FieldError => ({
  path,
  message: `Duplicate value: ${jsonText(value)}`,
})

export const tooMany = (path: string, count: number, most: number): FieldError => ({
  path,
  message: `Too many: ${count}: must have at most ${most} ${most === 1 ? 'item' : 'items'}`,
})

/** JSON with sorted keys, so that equal values have one text. The reader limits the depth. */
export function jsonText(value: unknown, depth = 0): string {
  if (depth > 100) return '"..."'
  if (Array.isArray(value)) {
    return `[${value.map((item) => jsonText(item, depth + 1)).join(',')}]`
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${jsonText(value[name], depth + 1)}`)}}`
}
