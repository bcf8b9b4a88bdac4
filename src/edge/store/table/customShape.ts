// Which columns does a custom kind have? Its name, and the printer columns of its definition.
import type { Column } from '../../kube/schema/crd.ts'
import { goJson } from '../values/goText.ts'
import { ageOf } from './age.ts'
import { findByPath } from './findByPath.ts'
import { type Path, parsePath } from './jsonPath.ts'
import { ageHeading, type Cell, fieldsOf, type Heading, nameHeading, type Shape } from './shape.ts'

const age: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

type Read = { readonly column: Column; readonly path: Path }

export function customShape(columns: readonly Column[]): Shape {
  const reads = readsOf(columns.length > 0 ? columns : [age])
  return {
    headings: [nameHeading, ...reads.map(({ column }) => headingOf(column))],
    cells: (object, nowMs) => [
      fieldsOf(object).inner('metadata').text('name'),
      ...reads.map(({ column, path }) => {
        const [value] = findByPath(path, [object]) ?? []
        return value === undefined ? null : cellOf(column.type, value, nowMs)
      }),
    ],
  }
}

/** As in Kubernetes, columns end at the first path that cannot be parsed. */
function readsOf(columns: readonly Column[]): readonly Read[] {
  const reads: Read[] = []
  for (const column of columns) {
    const path = parsePath(column.jsonPath)
    if (path === undefined) return reads
    reads.push({ column, path })
  }
  return reads
}

function headingOf(column: Column): Heading {
  if (column === age) return { ...ageHeading, type: 'date' }
  const { name, type, jsonPath, format = '', priority = 0 } = column
  const where = `Custom resource definition column (in JSONPath format): ${jsonPath}`
  return { name, type, format, priority, description: column.description || where }
}

/** A value of another type than its column is not shown; a string column shows any value. */
function cellOf(type: string, value: unknown, nowMs: number): Cell {
  if (type === 'string') return textOf(value)
  if (type === 'date') return typeof value === 'string' ? dateCell(value, nowMs) : null
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  if (typeof value !== 'number') return null
  return type === 'integer' ? Math.trunc(value) : value
}

const dateCell = (text: string, nowMs: number): string => ageOf(text === 'null' ? '' : text, nowMs)

function textOf(value: unknown): string {
  if (value === null) return '<no value>'
  if (typeof value === 'object') return goJson(value)
  return typeof value === 'number' ? numberText(value) : String(value)
}

/** As Go prints an int64 or a float64; very large and small ones have an exponent. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value)
  const [digits, exponent = ''] = value.toExponential().split('e')
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value)
  return `${digits}e${exponent.replace(/^([+-])(\d)$/, '$10$2')}`
}
