// Who may set which field, and what becomes of what is no longer applied?
import { describe, expect, test } from 'vitest'
import {
  applied,
  configMap,
  configMaps,
  now,
  owners,
  refusal,
  target,
} from '../../../../test/build/applying.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Schema } from '../../kube/schema/schema.ts'
import { builtInKinds } from '../kinds/builtIn.ts'
import { completeSchema } from '../kinds/completeSchema.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import { recordUpdate } from './ownership.ts'

const services = target(builtInKinds, 'Service')
const later = '2026-01-01T00:00:05Z'

describe('[C52] conflicts', () => {
  const live = applied(configMap({ x: '1', y: '1' }))

  test('one is told with its field and its manager', () => {
    expect(refusal(configMap({ x: '2' }), { live, manager: 'two' })).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
        ],
      },
      code: 409,
    })
  })

  test('several are told by manager; who updates is told with his version and subresource', () => {
    const changed = recordUpdate({
      target: { ...configMaps, subresource: 'status' },
      before: live,
      after: configMap({ x: '1', y: '2', z: '1' }),
      manager: 'other',
      now,
    })
    const { message, details } = refusal(configMap({ x: '2', y: '3', z: '3' }), {
      live: changed,
      manager: 'two',
    })
    expect(message).toBe(
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.x\n' +
        'conflicts with "other" with subresource "status" using v1:\n- .data.y\n- .data.z',
    )
    expect(details?.causes?.map((cause) => cause.field)).toEqual(['.data.x', '.data.y', '.data.z'])
  })

  test('items of lists are told by their keys', () => {
    const service = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', finalizers: ['x/a'] },
      spec: { ports: [{ port: 80, name }], selector: { app: name } },
    })
    const before = applied(service('a'), { to: services })
    const { message } = refusal(service('b'), { to: services, live: before, manager: 'two' })
    expect(message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n' +
        '- .spec.selector\n- .spec.ports[port=80,protocol="TCP"].name',
    )
  })
})

describe('[C53] who applies', () => {
  test('shares what he gives the same value, and has no time while he has changed nothing', () => {
    const live = applied(configMap({ x: '1' }))
    const shared = applied(configMap({ x: '1' }), { live, manager: 'two', now: later })
    expect(shared['data']).toEqual({ x: '1' })
    const { managedFields } = shared['metadata'] as { managedFields: JsonObject[] }
    const times = managedFields.map(({ manager, time }) => [manager, time])
    expect(times).toEqual([
      ['two', undefined],
      ['one', now],
    ])
  })

  test('takes over with force', () => {
    const live = applied(configMap({ x: '1', y: '1' }))
    const taken = applied(configMap({ x: '2' }), { live, manager: 'two', isForced: true })
    expect(taken['data']).toEqual({ x: '2', y: '1' })
    expect(owners(taken)).toEqual({
      'one Apply': { 'f:data': { 'f:y': {} } },
      'two Apply': { 'f:data': { 'f:x': {} } },
    })
  })

  test('again changes nothing, not even the time', () => {
    const live = applied(configMap({ x: '1' }))
    expect(applied(configMap({ x: '1' }), { live, now: later })).toEqual(live)
  })

  test('[C43] creates what is not there', () => {
    expect(applied(configMap({ x: '1' }))).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'shop' },
      data: { x: '1' },
    })
  })

  test('and says nothing owns nothing', () => {
    const nothing = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    expect(owners(applied(nothing))).toEqual({})
  })

  test('first over what nobody was seen to write shares it with them who were before', () => {
    const live = configMap({ x: '1', y: '1' }, { uid: 'u' })
    expect(owners(applied(configMap({ x: '1' }), { live }))).toEqual({
      'before-first-apply Update': { 'f:data': { '.': {}, 'f:x': {}, 'f:y': {} } },
      'one Apply': { 'f:data': { 'f:x': {} } },
    })
    expect(refusal(configMap({ x: '2' }), { live }).message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.x',
    )
  })
})

describe('[C54] what is no longer applied', () => {
  test('goes, unless another has it too', () => {
    const live = applied(configMap({ y: '1', z: '1' }), {
      live: applied(configMap({ x: '1', y: '1' })),
      manager: 'two',
    })
    const left = applied(configMap({}), { live })
    expect(left['data']).toEqual({ y: '1', z: '1' })
    expect(owners(left)).toMatchObject({ 'two Apply': { 'f:data': { 'f:y': {}, 'f:z': {} } } })
  })

  test('goes with the map that held only it', () => {
    const live = applied(configMap({ x: '1' }))
    const { data: _, ...rest } = configMap({})
    expect(applied(rest, { live })).not.toHaveProperty('data')
  })

  test('stays where an update set it since', () => {
    const live = recordUpdate({
      target: configMaps,
      before: applied(configMap({ x: '1' })),
      after: configMap({ x: '2' }),
      manager: 'other',
      now,
    })
    expect(applied(configMap({ y: '1' }), { live })['data']).toEqual({ x: '2', y: '1' })
  })
})

describe('what cannot be applied', () => {
  const typed = 'failed to create typed patch object (shop/a; /v1, Kind=ConfigMap)'
  test.each([
    { object: null, code: 400, message: 'invalid object type: /, Kind=' },
    { object: {}, code: 400, message: 'invalid object type: /, Kind=' },
    { object: { apiVersion: 'v1' }, code: 400, message: 'invalid object type: /v1, Kind=' },
    {
      object: { apiVersion: 'apps/v1', kind: 'Deployment' },
      code: 400,
      message: 'invalid object type: apps/v1, Kind=Deployment',
    },
    {
      object: [1],
      code: 400,
      message:
        'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      object: configMap({}, { managedFields: [] }),
      code: 400,
      message: 'metadata.managedFields must be nil',
    },
    {
      object: configMap({ x: 1 }),
      code: 500,
      message: `${typed}: .data.x: expected string, got &value.valueUnstructured{Value:1}`,
    },
    {
      object: { ...configMap({}), bogus: 1 },
      code: 500,
      message: `${typed}: .bogus: field not declared in schema`,
    },
  ])('$code $message', ({ object, code, message }) => {
    expect(refusal(object)).toMatchObject({ code, message })
  })

  test('managedFields of null are none', () => {
    expect(owners(applied(configMap({ x: '1' }, { managedFields: null })))).toEqual({
      'one Apply': { 'f:data': { 'f:x': {} } },
    })
  })

  test('over managedFields that nobody can read', () => {
    const live = configMap({ x: '1' }, { managedFields: [{ operation: 'Apply' }] })
    expect(refusal(configMap({}), { live })).toMatchObject({
      code: 500,
      message: 'failed to decode managed fields',
    })
  })
})

describe('versions', () => {
  const text: Schema = { type: 'string' }
  const content = (list: 'atomic' | 'set'): Schema => ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          list: { type: 'array', items: text, 'x-kubernetes-list-type': list },
          x: text,
        },
      },
    },
  })
  const version = (name: string, list: 'atomic' | 'set') => ({
    name,
    schema: completeSchema(content(list)),
    hasStatus: false,
    columns: [],
  })
  const twin: StoredKind = {
    group: 't.example',
    kind: 'Twin',
    listKind: 'TwinList',
    plural: 'twins',
    singular: 'twin',
    shortNames: [],
    categories: [],
    isNamespaced: true,
    isBuiltIn: false,
    storage: 'v1',
    versions: [version('v1', 'atomic'), version('v2', 'set')],
  }
  const to = (name: string) => target([twin], 'Twin', name)
  const object = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: `t.example/${name}`,
    kind: 'Twin',
    metadata: { name: 'a' },
    spec,
  })
  const inVersion = (live: JsonObject, name: string) => ({
    ...live,
    apiVersion: `t.example/${name}`,
  })

  test('each owns fields as its own version has them', () => {
    const live = applied(object('v1', { list: ['a'] }), { to: to('v1') })
    const set = object('v2', { list: ['b'] })
    const asked = { to: to('v2'), live: inVersion(live, 'v2'), manager: 'two' }
    expect(refusal(set, asked).message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.list',
    )
    const forced = applied(set, { ...asked, isForced: true })
    expect(forced['spec']).toEqual({ list: ['a', 'b'] })
    expect(owners(forced)).toEqual({ 'two Apply': { 'f:spec': { 'f:list': { 'v:"b"': {} } } } })
  })

  test('who applies in another version is the same, and loses what he no longer applies', () => {
    const live = applied(object('v1', { list: ['a'], x: '1' }), { to: to('v1') })
    const after = applied(object('v2', { list: ['a'] }), {
      to: to('v2'),
      live: inVersion(live, 'v2'),
    })
    expect(after['spec']).toEqual({ list: ['a'] })
    expect(owners(after)).toEqual({ 'one Apply': { 'f:spec': { 'f:list': { 'v:"a"': {} } } } })
  })

  test('who wrote in a version that is gone owns nothing', () => {
    const live = applied(object('v1', { x: '1' }), { to: to('v1') })
    const only: StoredKind = { ...twin, versions: [version('v2', 'set')] }
    const after = applied(object('v2', { x: '2' }), {
      to: target([only], 'Twin', 'v2'),
      live: inVersion(live, 'v2'),
      manager: 'two',
    })
    expect(owners(after)).toEqual({ 'two Apply': { 'f:spec': { 'f:x': {} } } })
  })
})
