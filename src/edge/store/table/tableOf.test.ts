import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Column } from '../../kube/schema/crd.ts'
import { builtInKinds } from '../kinds/builtIn.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import {
  type ColumnDefinition,
  type Row,
  type TableRequest,
  tableOf,
  withoutColumns,
} from './tableOf.ts'

/** What kube-apiserver 1.36.3 answered; of each object only what a table could show. */
type Recorded = {
  readonly resource: string
  readonly nowMs: number
  readonly columns: readonly ColumnDefinition[]
  readonly rows: readonly (Omit<Row, 'object'> & { readonly object: string })[]
}
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
)
const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }

function builtIn(resource: string) {
  const kind = builtInKinds.find((one) => resourceOf(one) === resource)
  const version = kind?.versions[0]
  if (kind === undefined || version === undefined) throw new Error(`there is no ${resource}`)
  return { kind, version }
}

test.each(recorded)('[C111] $resource', ({ resource, nowMs, columns, rows }) => {
  const objects: JsonObject[] = rows.map(({ object }) => JSON.parse(object))
  const metadata = { resourceVersion: '7' }
  const request = { ...builtIn(resource), objects, metadata, nowMs, includeObject: 'Metadata' }
  expect(tableOf(request as TableRequest)).toStrictEqual({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns,
    rows: rows.map((row, index) => ({
      ...row,
      object: { ...partial, metadata: objects[index]?.['metadata'] },
    })),
  })
})

test.each(['__proto__', 'constructor'])('a pod whose phase is %s has a row as others', (phase) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase } }
  const request = { ...builtIn('pods'), objects: [pod], metadata: {}, nowMs: 0 }
  const { rows } = tableOf({ ...request, includeObject: 'None' })
  expect(rows[0]?.cells.slice(0, 3)).toEqual(['a', '0/0', phase])
  expect(rows[0]).not.toHaveProperty('conditions')
})

test('every built-in kind has been recorded', () => {
  expect(recorded.map(({ resource }) => resource).sort()).toEqual(
    builtInKinds.map(resourceOf).sort(),
  )
})

const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
  status: { phase: 'Active' },
}
const plain: TableRequest = {
  ...builtIn('namespaces'),
  objects: [namespace],
  metadata: { resourceVersion: '7' },
  nowMs: Date.parse('2026-01-01T01:00:00Z'),
  includeObject: 'None',
}

describe('[C94] what comes with a row', () => {
  test.each([
    { includeObject: 'None', object: null },
    { includeObject: 'Object', object: namespace },
    { includeObject: 'Metadata', object: { ...partial, metadata: namespace.metadata } },
  ] as const)('$includeObject', ({ includeObject, object }) => {
    expect(tableOf({ ...plain, includeObject }).rows).toStrictEqual([
      { cells: ['shop', 'Active', '60m'], object },
    ])
  })

  test('the older group version asks for the older metadata', () => {
    const table = tableOf({ ...plain, includeObject: 'Metadata', metaVersion: 'v1beta1' })
    expect(table.apiVersion).toBe('meta.k8s.io/v1beta1')
    expect(table.rows[0]?.object).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1' })
  })

  test('the bookmark after the first events always', () => {
    const metadata = { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } }
    const bookmark = { apiVersion: 'v1', kind: 'Namespace', metadata }
    expect(tableOf({ ...plain, objects: [bookmark] }).rows).toStrictEqual([
      { cells: ['', '', '<unknown>'], object: { ...partial, metadata } },
    ])
  })

  test('the columns come once in a watch', () => {
    expect(withoutColumns(tableOf(plain))).toMatchObject({ columnDefinitions: null })
  })
})

describe('[C93] a custom kind', () => {
  const kind: StoredKind = {
    group: 'ex.test',
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: [],
    categories: [],
    isNamespaced: true,
    isBuiltIn: false,
    storage: 'v1',
    versions: [],
  }
  const [name, age] = ['Name must be unique', 'When it was made']
  const metadata = {
    properties: { name: { description: name }, creationTimestamp: { description: age } },
  }
  const object = { ...namespace, spec: { size: 3 } }
  const custom = (columns: readonly Column[]) => {
    const schema = { properties: { metadata } }
    const version = { name: 'v1', schema, hasStatus: false, columns }
    const { columnDefinitions, rows } = tableOf({ ...plain, kind, version, objects: [object] })
    return { columns: columnDefinitions, cells: rows[0]?.cells }
  }
  const nameColumn = {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: name,
    priority: 0,
  }
  const size: Column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' }

  test('without columns shows its age', () => {
    expect(custom([])).toStrictEqual({
      columns: [
        nameColumn,
        { name: 'Age', type: 'date', format: '', description: age, priority: 0 },
      ],
      cells: ['shop', '60m'],
    })
  })

  test('with columns shows these, each described by its definition or its path', () => {
    const wide: Column = { ...size, format: 'int32', description: 'How large', priority: 1 }
    expect(custom([size, wide])).toStrictEqual({
      columns: [
        nameColumn,
        {
          name: 'Size',
          type: 'integer',
          format: '',
          description: 'Custom resource definition column (in JSONPath format): .spec.size',
          priority: 0,
        },
        { name: 'Size', type: 'integer', format: 'int32', description: 'How large', priority: 1 },
      ],
      cells: ['shop', 3, 3],
    })
  })

  test('shows no column from one on whose path cannot be read', () => {
    const bad: Column = { ...size, jsonPath: '.spec[?(' }
    expect(custom([size, bad, size]).cells).toEqual(['shop', 3])
  })
})
