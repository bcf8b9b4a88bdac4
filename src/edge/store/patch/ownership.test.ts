import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { builtInKinds } from '../kinds/builtIn.ts'
import { completeSchema } from '../kinds/completeSchema.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import { recordUpdate } from './ownership.ts'
import { type Target, targetOf } from './target.ts'

const pool: StoredKind = {
  group: 'metallb.io',
  kind: 'IPAddressPool',
  listKind: 'IPAddressPoolList',
  plural: 'ipaddresspools',
  singular: 'ipaddresspool',
  shortNames: [],
  categories: [],
  isNamespaced: true,
  isBuiltIn: false,
  storage: 'v1beta1',
  versions: [
    {
      name: 'v1beta1',
      hasStatus: true,
      columns: [],
      schema: completeSchema({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              addresses: { type: 'array', items: { type: 'string' } },
              autoAssign: { type: 'boolean', default: true },
            },
          },
          status: { type: 'object', properties: { assignedIPv4: { type: 'integer' } } },
        },
      }),
    },
  ],
}

function target(name: string, subresource: Target['subresource'] = ''): Target {
  const kind = [pool, ...builtInKinds].find((one) => one.kind === name)
  const served = kind?.versions[0]
  if (kind === undefined || served === undefined) throw new Error(`there is no ${name}`)
  return targetOf(kind, served, subresource)
}

const now = '2026-01-01T00:00:00Z'
const later = '2026-01-01T00:00:05Z'

/** What a test is about: who owns what, and since when. */
const owners = (object: JsonObject): readonly string[] => {
  const { managedFields = [] } = object['metadata'] as { managedFields?: JsonObject[] }
  return managedFields.map(({ manager, operation, time, fieldsV1, subresource }) => {
    const how = subresource === undefined ? operation : `${operation} of ${subresource}`
    return `${manager} ${how} ${String(time).slice(17, 19)} ${JSON.stringify(fieldsV1)}`
  })
}

const configMap = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop', ...metadata },
  data,
})
const created = (data: JsonObject) =>
  recordUpdate({
    target: target('ConfigMap'),
    before: undefined,
    after: configMap(data),
    manager: 'maker',
    now,
  })
const update = (before: JsonObject, after: JsonObject, manager = 'other') =>
  recordUpdate({ target: target('ConfigMap'), before, after, manager, now: later })

describe('a create', () => {
  test('owns all it says, but not what names the object', () => {
    expect(created({ x: '1' })['metadata']).toEqual({
      name: 'a',
      namespace: 'shop',
      managedFields: [
        {
          manager: 'maker',
          operation: 'Update',
          apiVersion: 'v1',
          time: now,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
        },
      ],
    })
  })

  test('without a manager is of one unknown', () => {
    const after = configMap({ x: '1' })
    const made = recordUpdate({
      target: target('ConfigMap'),
      before: undefined,
      after,
      manager: '',
      now,
    })
    expect(owners(made)).toEqual(['unknown Update 00 {"f:data":{".":{},"f:x":{}}}'])
  })

  test('that says nothing has no owner', () => {
    const after = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    const made = recordUpdate({
      target: target('ConfigMap'),
      before: undefined,
      after,
      manager: 'maker',
      now,
    })
    expect(made).toEqual(after)
  })

  test('[C61] of a Service owns no status, and no spec as such: Go writes that in any case', () => {
    const after = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { type: 'LoadBalancer', selector: { x: '1' }, ports: [{ port: 80, protocol: 'TCP' }] },
      status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } },
    }
    const made = recordUpdate({
      target: target('Service'),
      before: undefined,
      after,
      manager: 'maker',
      now,
    })
    const port = '"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{},"f:protocol":{}}'
    expect(owners(made)).toEqual([
      `maker Update 00 {"f:spec":{"f:ports":{".":{},${port}},"f:selector":{},"f:type":{}}}`,
    ])
  })

  test('of a custom kind owns the spec itself, defaults and all', () => {
    const after = {
      apiVersion: 'metallb.io/v1beta1',
      kind: 'IPAddressPool',
      metadata: { name: 'a' },
      spec: { addresses: ['1.1.1.0/24'], autoAssign: true },
    }
    const made = recordUpdate({
      target: target('IPAddressPool'),
      before: undefined,
      after,
      manager: 'maker',
      now,
    })
    expect(owners(made)).toEqual([
      'maker Update 00 {"f:spec":{".":{},"f:addresses":{},"f:autoAssign":{}}}',
    ])
  })
})

describe('an update', () => {
  test('takes what it changes, adds what is new, and what goes nobody owns', () => {
    const live = created({ x: '1', y: '1', z: '1' })
    expect(owners(update(live, configMap({ x: '1', y: '2', w: '1' })))).toEqual([
      'maker Update 00 {"f:data":{".":{},"f:x":{}}}',
      'other Update 05 {"f:data":{"f:w":{},"f:y":{}}}',
    ])
  })

  test('of one manager again is one entry, with a new time', () => {
    const live = created({ x: '1' })
    expect(owners(update(live, configMap({ x: '1', y: '1' }), 'maker'))).toEqual([
      'maker Update 05 {"f:data":{".":{},"f:x":{},"f:y":{}}}',
    ])
  })

  test('[C39] that changes nothing leaves everything', () => {
    const live = created({ x: '1' })
    expect(update(live, configMap({ x: '1' }))).toEqual(live)
  })

  test('that only takes away has no entry, and who owns nothing any more vanishes', () => {
    const live = update(created({ x: '1' }), configMap({ x: '1', y: '1' }))
    expect(owners(update(live, configMap({ x: '1' }), 'third'))).toEqual([
      'maker Update 00 {"f:data":{".":{},"f:x":{}}}',
    ])
  })

  test('of a uid or a resourceVersion owns none of it', () => {
    const live = created({ x: '1' })
    const after = configMap({ x: '1' }, { uid: 'u', resourceVersion: '7', generation: 2 })
    expect(owners(update(live, after))).toEqual(owners(live))
  })
})

describe('managedFields that are sent', () => {
  const live = created({ x: '1' })
  const entry = {
    manager: 'kubectl',
    operation: 'Apply',
    apiVersion: 'v1',
    time: now,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:x': {} } },
  }

  test('are taken as they are', () => {
    const after = configMap({ x: '1' }, { managedFields: [entry] })
    expect(owners(update(live, after))).toEqual(['kubectl Apply 00 {"f:data":{"f:x":{}}}'])
  })

  test.each([
    { about: 'left out', managedFields: undefined },
    { about: 'null', managedFields: null },
    { about: 'of an unknown operation', managedFields: [{ ...entry, operation: 'Merge' }] },
    { about: 'without a version', managedFields: [{ ...entry, apiVersion: '' }] },
    { about: 'of another type', managedFields: [{ ...entry, fieldsType: 'FieldsV2' }] },
    { about: 'not readable', managedFields: [{ ...entry, fieldsV1: { data: {} } }] },
    { about: 'no list', managedFields: 'x' },
  ])('$about are those of before', ({ managedFields }) => {
    const after = configMap({ x: '1' }, { managedFields })
    expect(owners(update(live, after))).toEqual(owners(live))
  })

  test('as one empty entry clear them; then nobody is followed', () => {
    const cleared = update(live, configMap({ x: '2' }, { managedFields: [{}] }))
    expect(cleared).toEqual(configMap({ x: '2' }))
    expect(update(cleared, configMap({ x: '3' }))).toEqual(configMap({ x: '3' }))
  })

  test('as an empty list clear those of a built-in kind only', () => {
    expect(owners(update(live, configMap({ x: '1' }, { managedFields: [] })))).toEqual([])
    const object = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', spec: {} }
    const custom = { ...entry, apiVersion: 'metallb.io/v1beta1', fieldsV1: { 'f:spec': {} } }
    const kept = recordUpdate({
      target: target('IPAddressPool'),
      before: { ...object, metadata: { name: 'a', managedFields: [custom] } },
      after: { ...object, metadata: { name: 'a', managedFields: [] } },
      manager: 'm',
      now,
    })
    expect(owners(kept)).toEqual(['kubectl Apply 00 {"f:spec":{}}'])
  })

  test('through the status are ignored', () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: {} }
    const withEntry = { ...service, metadata: { name: 'web', managedFields: [entry] } }
    const after = recordUpdate({
      target: target('Service', 'status'),
      before: withEntry,
      after: { ...service, metadata: { name: 'web', managedFields: [{}] } },
      manager: 'm',
      now,
    })
    expect(owners(after)).toEqual(['kubectl Apply 00 {"f:data":{"f:x":{}}}'])
  })
})

describe('a write to the status', () => {
  const ingress = { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } }

  test('[C55] of a Service owns status and metadata, but nothing of the spec', () => {
    const object = { apiVersion: 'v1', kind: 'Service' }
    const spec = { type: 'LoadBalancer' }
    const before = recordUpdate({
      target: target('Service'),
      before: undefined,
      after: { ...object, metadata: { name: 'web' }, spec, status: { loadBalancer: {} } },
      manager: 'maker',
      now,
    })
    const metadata = { ...(before['metadata'] as JsonObject), annotations: { a: 'b' } }
    const after = recordUpdate({
      target: target('Service', 'status'),
      before,
      after: { ...object, metadata, spec: { type: 'NodePort' }, status: ingress },
      manager: 'berth',
      now: later,
    })
    expect(owners(after)).toEqual([
      'maker Update 00 {"f:spec":{"f:type":{}}}',
      'berth Update of status 05 {"f:metadata":{"f:annotations":{".":{},"f:a":{}}},"f:status":{"f:loadBalancer":{"f:ingress":{}}}}',
    ])
  })

  test('[C87] of a custom kind owns the status only', () => {
    const object = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' }
    const before = { ...object, metadata: { name: 'a', managedFields: [someone] }, spec: {} }
    const after = recordUpdate({
      target: target('IPAddressPool', 'status'),
      before,
      after: {
        ...object,
        metadata: { name: 'a', labels: { x: 'y' } },
        spec: { autoAssign: false },
        status: { assignedIPv4: 1 },
      },
      manager: 'berth',
      now: later,
    })
    expect(owners(after).at(-1)).toBe(
      'berth Update of status 05 {"f:status":{".":{},"f:assignedIPv4":{}}}',
    )
  })

  const someone = {
    manager: 'someone',
    operation: 'Update',
    apiVersion: 'metallb.io/v1beta1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': {} },
  }
})

describe('of more than ten who updated', () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
  const updatedBy = (count: number) => {
    let live = created({ k0: '1' })
    for (let each = 1; each < count; each += 1) {
      const { data } = live as { data: JsonObject }
      live = recordUpdate({
        target: target('ConfigMap'),
        before: live,
        after: configMap({ ...data, [`k${each}`]: '1' }),
        manager: `m${each}`,
        now: at(each),
      })
    }
    return owners(live)
  }

  test('the oldest become one', () => {
    expect(updatedBy(10)[0]).toBe('maker Update 00 {"f:data":{".":{},"f:k0":{}}}')
    const eleven = updatedBy(11)
    expect(eleven).toHaveLength(10)
    expect(eleven.slice(0, 2)).toEqual([
      'ancient-changes Update 01 {"f:data":{".":{},"f:k0":{},"f:k1":{}}}',
      'm2 Update 02 {"f:data":{"f:k2":{}}}',
    ])
    expect(updatedBy(13)[0]).toBe(
      'ancient-changes Update 03 {"f:data":{".":{},"f:k0":{},"f:k1":{},"f:k2":{},"f:k3":{}}}',
    )
  })

  test('those who applied do not count', () => {
    const applied = Array.from({ length: 20 }, (_, each) => ({
      manager: `a${each}`,
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${each}`]: {} } },
    }))
    const data = Object.fromEntries(applied.map((_, each) => [`k${each}`, '1']))
    const live = configMap(data, { managedFields: applied })
    expect(owners(update(live, configMap({ ...data, x: '1' })))).toHaveLength(21)
  })
})
