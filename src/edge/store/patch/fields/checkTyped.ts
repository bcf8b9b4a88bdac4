// Does an applied object fit its shape? Errors are worded as in Kubernetes, with their path.
import { isRecord } from '../../../kube/decode/fields.ts'
import { goSyntax, goText, goType } from '../../values/goText.ts'
import { longestMessage } from '../../values/longestMessage.ts'
import { itemOf } from './itemOf.ts'
import { elementText, pathBelow } from './pathElement.ts'
import type { ListShape, MapShape, Scalar, Shape } from './shape.ts'
import { valueAs } from './valueAs.ts'

/** A list may have a million wrong items, and more errors would not help. */
const maxErrors = 100

/** Undefined if it fits. */
export function checkTyped(shape: Shape, value: unknown): string | undefined {
  const errors: string[] = []
  check(errors, shape, { value, path: '' })
  if (errors.length < 2) return errors[0]
  return ['errors:', ...errors.slice(0, maxErrors).map((error) => `  ${error}`)].join('\n')
}

type TypedValue = { readonly value: unknown; readonly path: string }

function check(errors: string[], shape: Shape, { value, path }: TypedValue): void {
  if (value === null || errors.length > maxErrors) return
  const as = valueAs(shape, value)
  if (as === 'map' && shape.map) checkMap(errors, shape.map, { value, path })
  else if (as === 'list' && shape.list) checkList(errors, shape.list, { value, path })
  else if (shape.scalar) errors.push(...wrongScalar(shape.scalar, { value, path }))
}

/** Kubernetes stops at the first unknown field. */
function checkMap(errors: string[], map: MapShape, { value, path }: TypedValue): void {
  if (!isRecord(value)) {
    errors.push(said(path, `expected map, got &{${goText(value)}}`))
    return
  }
  for (const name of Object.keys(value).sort()) {
    const field = map.field(name)
    if (field === undefined) {
      errors.push(said(pathBelow(path, `.${name}`), 'field not declared in schema'))
      return
    }
    check(errors, field, { value: value[name], path: pathBelow(path, `.${name}`) })
  }
}

function checkList(errors: string[], list: ListShape, { value, path }: TypedValue): void {
  if (!Array.isArray(value)) {
    errors.push(said(path, `expected list, got &{${goText(value)}}`))
    return
  }
  const seen = new Set<string>()
  for (const [at, item] of value.entries()) {
    const known = list.type === 'atomic' ? { element: `i:${at}` } : itemOf(list, item)
    if ('wrong' in known) {
      errors.push(said(path, `element ${at}: ${known.wrong}`))
      return
    }
    const step = elementText(known.element)
    if (seen.has(step)) errors.push(said(path, `duplicate entries for key ${step}`))
    seen.add(step)
    check(errors, list.items, { value: item, path: pathBelow(path, step) })
  }
}

function wrongScalar(scalar: Scalar, { value, path }: TypedValue): readonly string[] {
  if (scalar === 'untyped') {
    const isScalar = typeof value !== 'object'
    return isScalar ? [] : [said(path, `expected any scalar, got &{${goText(value)}}`)]
  }
  if (typeof value === (scalar === 'numeric' ? 'number' : scalar)) return []
  const got = {
    numeric: `expected numeric (int or float), got ${goType(value)}`,
    string: `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`,
    boolean: `expected boolean, got &{${goText(value)}}`,
  }
  return [said(path, got[scalar])]
}

/** An answer quotes no more of a value than of a path. */
const said = (path: string, message: string): string =>
  (path === '' ? message : `${path}: ${message}`).slice(0, 2 * longestMessage)
