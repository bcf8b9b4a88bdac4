// In which words does Kubernetes refuse a value? Those of kube-openapi and of its field errors.
import type { FieldError } from '../../../core/model/admission.ts'
import { isRecord } from '../decode/fields.ts'

export const invalid = (path: string, value: unknown, detail: string): FieldError => ({
  path,
  message: `Invalid value: ${jsonText(value)}: ${detail}`,
})

/** Where Kubernetes leaves the path out (`<nil>`) ours is kept: lint finds the line by it. */
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

/** JSON with sorted keys: equal values have one text. Nothing that the reader takes is so deep. */
export function jsonText(value: unknown, depth = 0): string {
  if (depth > 100) return '"..."'
  if (Array.isArray(value)) {
    return `[${value.map((item) => jsonText(item, depth + 1)).join(',')}]`
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${jsonText(value[name], depth + 1)}`)}}`
}
