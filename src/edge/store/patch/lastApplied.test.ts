// From applying on the client to applying on the server: the requests of `kubectl apply --server-side`
// after `kubectl apply`, and what was answered.
import { expect, test } from 'vitest'
import {
  applied,
  configMap,
  configMaps,
  now,
  owners,
  refusal,
} from '../../../../test/build/applying.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { jsonPatch } from './jsonPatch.ts'
import { recordUpdate } from './ownership.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const lastApplied = (x: string, annotations: string) =>
  `{"apiVersion":"v1","data":{"x":"${x}","y":"\\u003ca\\u003e"},"kind":"ConfigMap",` +
  `"metadata":{${annotations}"labels":{"l":"1"},"name":"a","namespace":"shop"}}\n`
const labels = { l: '1' }
const onServer = configMap({ x: '2', y: '<a>' }, { labels })
const before = recordUpdate({
  target: configMaps,
  before: undefined,
  after: configMap(
    { x: '1', y: '<a>' },
    { labels, annotations: { [annotation]: lastApplied('1', '"annotations":{},') } },
  ),
  manager: 'kubectl-client-side-apply',
  now,
})
const first = () => applied(onServer, { live: before, manager: 'kubectl' })

test('[C118] what kubectl applied itself is no conflict for it, and its annotation follows', () => {
  const { data, metadata } = first()
  expect(data).toEqual({ x: '2', y: '<a>' })
  expect(metadata).toMatchObject({ annotations: { [annotation]: lastApplied('2', '') } })
  expect(owners(first())).toEqual({
    'kubectl Apply': {
      'f:data': { 'f:x': {}, 'f:y': {} },
      'f:metadata': { 'f:labels': { 'f:l': {} } },
    },
    'kubectl-client-side-apply Update': {
      'f:data': { '.': {}, 'f:y': {} },
      'f:metadata': {
        'f:annotations': { '.': {}, [`f:${annotation}`]: {} },
        'f:labels': { '.': {}, 'f:l': {} },
      },
    },
  })
})

test('[C118] for any other manager it is a conflict, and for kubectl what others changed since', () => {
  const conflict =
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.x'
  expect(refusal(onServer, { live: before, manager: 'two' }).message).toBe(conflict)
  const { metadata } = before as { metadata: JsonObject }
  const changed = recordUpdate({
    target: configMaps,
    before,
    after: configMap({ x: '3', y: '<a>' }, metadata),
    manager: 'other',
    now,
  })
  expect(refusal(onServer, { live: changed, manager: 'kubectl' }).message).toBe(
    'Apply failed with 1 conflict: conflict with "other" using v1: .data.x',
  )
})

test('[C118] kubectl then moves the entries by a patch of managedFields, and applies once more', () => {
  const held = applied(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', annotations: { [annotation]: lastApplied('2', '') } },
    },
    { live: first(), manager: 'kubectl-last-applied' },
  )
  const entries = (held['metadata'] as { managedFields: JsonObject[] }).managedFields
  const [holder, applier, updater] = entries
  expect([holder, applier, updater].map((entry) => entry?.['manager'])).toEqual([
    'kubectl-last-applied',
    'kubectl',
    'kubectl-client-side-apply',
  ])
  const merged = { ...applier, fieldsV1: updater?.['fieldsV1'] }
  const operations = [{ op: 'replace', path: '/metadata/managedFields', value: [holder, merged] }]
  const patched = jsonPatch(held, operations)
  if (!patched.ok) throw new Error(patched.status.message)
  const moved = recordUpdate({
    target: configMaps,
    before: held,
    after: patched.value,
    manager: 'kubectl',
    now,
  })
  expect(Object.keys(owners(moved))).toEqual(['kubectl-last-applied Apply', 'kubectl Apply'])
  const last = applied(onServer, { live: moved, manager: 'kubectl' })
  expect(owners(last)).toEqual({
    'kubectl-last-applied Apply': {
      'f:metadata': { 'f:annotations': { [`f:${annotation}`]: {} } },
    },
    'kubectl Apply': {
      'f:data': { 'f:x': {}, 'f:y': {} },
      'f:metadata': { 'f:labels': { 'f:l': {} } },
    },
  })
  expect(last['metadata']).toMatchObject({ annotations: { [annotation]: lastApplied('2', '') } })
})

test('[C118] an annotation that would be too large is left out', () => {
  const large = configMap({ x: '1', y: '<a>'.repeat(100_000) })
  const after = applied(large, { live: before, manager: 'kubectl', isForced: true })
  expect(after['metadata']).toMatchObject({ annotations: {} })
})
