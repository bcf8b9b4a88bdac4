import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalQuantity } from '../values/quantity.ts'
import { decodeProtobuf } from './decodeProtobuf.ts'
import { type Field, type Message, messageNamed, messageOfKind } from './messages.ts'

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
const service = { apiVersion: 'v1', kind: 'Service' }
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

/** What kubectl 1.36.3 sent, and what Kubernetes' own packages decode it to, without nulls. */
type Recorded = { readonly kubectl: string; readonly sent: string; readonly means: string }
const recorded: readonly Recorded[] = read('recorded.json')
/** Every field of every kind, its value made from its JSON name; encoded by Kubernetes' packages. */
const filled: Readonly<Record<string, string>> = read('filled.json')

function decoded(bytes: Uint8Array, expected = service) {
  const outcome = decodeProtobuf(bytes, expected)
  return outcome.ok ? outcome.value : outcome.status
}

test.each(recorded)('[C120] kubectl $kubectl', ({ sent, means }) => {
  const { apiVersion, kind, ...rest } = JSON.parse(means)
  expect(decoded(bytesOf(sent), { apiVersion, kind })).toStrictEqual({ apiVersion, kind, ...rest })
})

describe('every field is read under its name', () => {
  const sum = (name: string) => [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  const stamp = (name: string) => new Date(sum(name) * 1000).toISOString().slice(0, 19)
  const scalars: Record<string, (name: string) => unknown> = {
    string: (name) => name,
    bytes: (name) => Buffer.from(name).toString('base64'),
    bool: () => true,
    int32: sum,
    int64: sum,
    ExtraValue: (name) => [name],
    FieldsV1: () => ({ 'f:spec': { '.': {}, 'f:x': {} } }),
    IntOrString: (name) => name,
    Quantity: (name) => canonicalQuantity(String(sum(name))),
    Time: (name) => `${stamp(name)}Z`,
    MicroTime: (name) => `${stamp(name)}.123456Z`,
  }
  function expectedOf(message: Message, hollow: string): Record<string, unknown> {
    const json: Record<string, unknown> = {}
    for (const { name, presence, shape, type } of message.fields.values()) {
      const nested = type === hollow ? undefined : messageNamed(type)
      const inside = nested === undefined ? {} : expectedOf(nested, hollow)
      const value = scalars[type]?.(name) ?? inside
      if (presence === 'inline') Object.assign(json, value)
      else json[name] = { one: value, list: [value], map: { [`k${name}`]: value } }[shape]
    }
    return json
  }

  test.each(Object.entries(filled))('%s', (title, sent) => {
    const [apiVersion = '', kind = ''] = title.split(' ')
    const message = messageOfKind({ apiVersion, kind })
    // Of a Deployment's Pods only the outside was sent: the Pod's own row has the inside.
    const hollow = kind === 'Deployment' ? 'PodSpec' : ''
    const fields = message === undefined ? {} : expectedOf(message, hollow)
    const expected = { apiVersion, kind, ...fields }
    expect(decoded(bytesOf(sent), { apiVersion, kind })).toStrictEqual(expected)
  })
})

test('every message that a table names has a table, and none holds itself: depth is bounded', () => {
  const scalars = new Set(['string', 'bytes', 'bool', 'int32', 'int64', 'raw'])
  const depth = (name: string, above: readonly string[]): number => {
    if (scalars.has(name)) return 0
    expect(above, name).not.toContain(name)
    const message = messageNamed(name)
    expect(message, name).toBeDefined()
    const fields: Iterable<Field> = message?.fields.values() ?? []
    return 1 + Math.max(...[...fields].map(({ type }) => depth(type, [...above, name])))
  }
  expect(Math.max(...['Deployment', 'Node', 'Service'].map((name) => depth(name, [])))).toBe(12)
})

const text = (said: string) => [...Buffer.from(said)]
const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]
const chunk = (number: number, bytes: readonly number[]) => [
  ...varint((number << 3) | 2),
  ...varint(bytes.length),
  ...bytes,
]
const envelope = (apiVersion: string, kind: string, message: readonly number[]) =>
  new Uint8Array([
    ...text('k8s\0'),
    ...chunk(1, [...chunk(1, text(apiVersion)), ...chunk(2, text(kind))]),
    ...chunk(2, message),
  ])
const named = (name: string) => chunk(1, chunk(1, text(name)))
const entry = (key: string, value: readonly number[]) => [...chunk(1, text(key)), ...value]

describe('what the words on the wire mean', () => {
  test.each([
    { title: 'a field of an unknown number is passed over', extra: chunk(9, [1, 2, 3]) },
    { title: 'so is a varint', extra: [9 << 3, 0x80, 0x01] },
    {
      title: 'and eight bytes, and four',
      extra: [(9 << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8, 0x4d, 1, 2, 3, 4],
    },
    { title: 'and a group in a group', extra: [0x4b, 0x53, 0x48, 1, 0x54, 0x4c] },
  ])('$title', ({ extra }) => {
    const bytes = envelope('v1', 'ConfigMap', [...extra, ...named('x'), ...extra])
    expect(decoded(bytes)).toStrictEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x' },
    })
  })

  test.each([
    {
      title: 'a message in two parts is one',
      sent: [...named('x'), ...chunk(1, chunk(3, text('n')))],
    },
    {
      title: 'the later scalar wins',
      sent: [...named('y'), ...named('x'), ...chunk(1, chunk(3, text('n')))],
    },
  ])('$title', ({ sent }) => {
    expect(decoded(envelope('v1', 'ConfigMap', sent))).toMatchObject({
      metadata: { name: 'x', namespace: 'n' },
    })
  })

  test('a map is what its entries say, whatever they are called', () => {
    const entries = [
      ...chunk(2, entry('a', chunk(2, text('1')))),
      ...chunk(2, entry('a', chunk(2, text('2')))),
      ...chunk(2, entry('__proto__', chunk(2, text('3')))),
      ...chunk(2, chunk(2, text('no key'))),
      ...chunk(2, entry('no value', [])),
    ]
    const { data } = { data: {}, ...decoded(envelope('v1', 'ConfigMap', entries)) }
    expect(Object.entries(data)).toEqual([
      ['a', '2'],
      ['__proto__', '3'],
      ['', 'no key'],
      ['no value', ''],
    ])
  })

  test('numbers may come packed', () => {
    const pod = (groups: readonly number[]) => envelope('v1', 'Pod', chunk(2, chunk(14, groups)))
    expect(decoded(pod(chunk(4, [1, 0xac, 0x02])))).toMatchObject({
      spec: { securityContext: { supplementalGroups: [1, 300] } },
    })
    expect(decoded(pod([4 << 3, 1, 4 << 3, 2]))).toMatchObject({
      spec: { securityContext: { supplementalGroups: [1, 2] } },
    })
  })

  test('a negative number takes ten bytes', () => {
    const minusOne = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
    const options = envelope('v1', 'DeleteOptions', [1 << 3, ...minusOne])
    expect(decoded(options)).toMatchObject({ gracePeriodSeconds: -1 })
    const deployment = envelope('apps/v1', 'Deployment', chunk(2, [1 << 3, ...minusOne]))
    expect(decoded(deployment)).toMatchObject({ spec: { replicas: -1 } })
  })

  test.each([
    { seconds: [], nanos: [], time: undefined },
    { seconds: [1 << 3, 0], nanos: [2 << 3, 0], time: '1970-01-01T00:00:00.000000Z' },
    { seconds: [1 << 3, 1], nanos: [2 << 3, 0xf0, 0x2e], time: '1970-01-01T00:00:01.000006Z' },
  ])('a MicroTime of $seconds is $time', ({ seconds, nanos, time }) => {
    const lease = envelope(
      'coordination.k8s.io/v1',
      'Lease',
      chunk(2, chunk(4, [...seconds, ...nanos])),
    )
    const spec = time === undefined ? {} : { renewTime: time }
    expect(decoded(lease)).toStrictEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {},
      spec,
    })
  })

  test('what the body does not say of its kind is what the path serves', () => {
    const bytes = new Uint8Array([...text('k8s\0'), ...chunk(2, named('x'))])
    expect(decoded(bytes)).toMatchObject({ ...service, metadata: { name: 'x' } })
  })

  test('DeleteOptions are in every group', () => {
    const bytes = envelope('apps/v1', 'DeleteOptions', [1 << 3, 0, ...chunk(4, text('Orphan'))])
    const expected = { apiVersion: 'v1', kind: 'DeleteOptions' }
    expect(decoded(bytes, expected)).toStrictEqual({
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
    })
  })
})

describe('[C50] what cannot be read is refused in Kubernetes’ words', () => {
  const start = 'the object provided is unrecognized (must be of type Service): '
  const inside = 'Service in version "v1" cannot be handled as a Service: '
  const ofService = (message: readonly number[]) => envelope('v1', 'Service', message)
  const endless = Array.from({ length: 11 }, () => 0xff)
  const quantity = chunk(1, entry('cpu', chunk(2, chunk(1, text('abc')))))
  const fieldsV1 = (json: string) => chunk(1, chunk(17, chunk(7, chunk(1, text(json)))))
  const cases: readonly { bytes: Uint8Array; says: string }[] = [
    { bytes: new Uint8Array(), says: `${start}empty data` },
    {
      bytes: new Uint8Array(text('{}')),
      says: `${start}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]`,
    },
    { bytes: new Uint8Array(text('k8s\0')), says: `${start}empty body` },
    { bytes: new Uint8Array([...text('k8s\0'), 0x0a, 5]), says: `${start}unexpected EOF` },
    { bytes: ofService([0x0a, 5, 1]), says: `${inside}unexpected EOF` },
    { bytes: ofService([0x4b, 0x48]), says: `${inside}unexpected EOF` },
    { bytes: ofService([8, 5]), says: `${inside}proto: wrong wireType = 0 for field metadata` },
    {
      bytes: ofService([2, 0]),
      says: `${inside}proto: Service: illegal tag 0 (wire type 2)`,
    },
    {
      bytes: ofService([12, 0]),
      says: `${inside}proto: Service: wiretype end group for non-group`,
    },
    { bytes: ofService([0xf7, 1, 0]), says: `${inside}proto: illegal wireType 7` },
    { bytes: ofService(endless), says: `${inside}proto: integer overflow` },
    {
      bytes: ofService([0x0a, ...endless.slice(2), 1]),
      says: `${inside}proto: negative length found during unmarshaling`,
    },
    {
      bytes: ofService(chunk(2, chunk(1, chunk(4, [8, 7])))),
      says: `${inside}impossible IntOrString.Type 7`,
    },
    { bytes: ofService(fieldsV1('{')), says: `${inside}fieldsV1 is not JSON: ` },
    {
      bytes: ofService(fieldsV1('['.repeat(101) + ']'.repeat(101))),
      says: `${inside}fieldsV1 is nested`,
    },
    {
      bytes: ofService(chunk(1, chunk(8, [8, ...endless.slice(4), 1]))),
      says: `${inside}time of 1125899906842623 seconds is outside the years 0 to 9999`,
    },
    {
      bytes: envelope('v1', 'Node', chunk(3, quantity)),
      says: 'Node in version "v1" cannot be handled as a Service: quantities must match ',
    },
    {
      bytes: envelope('v7', 'Service', []),
      says: 'Service in version "v7" cannot be handled as a Service: no kind "Service" is known for version "v7"',
    },
  ]
  test.each(cases)('$says', ({ bytes, says }) => {
    expect(decoded(bytes)).toMatchObject({ code: 400, reason: 'BadRequest' })
    expect(decoded(bytes)).toHaveProperty('message', expect.stringContaining(says))
  })

  test('a kind without a table is answered 415', () => {
    const custom = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' }
    expect(decoded(ofService([]), custom)).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
    })
  })

  test.each([
    { title: 'too many bytes', bytes: new Uint8Array(3 * 1024 * 1024 + 1), limit: '3145728' },
    {
      title: 'few bytes that mean too much',
      bytes: envelope(
        'v1',
        'Service',
        chunk(1, Array.from({ length: 100_001 }, () => [114, 0]).flat()),
      ),
      limit: '100000 values',
    },
  ])('$title', ({ bytes, limit }) => {
    expect(decoded(bytes)).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: limit is ${limit}`,
    })
  })
})

describe('no bytes throw', () => {
  const isOutcome = (bytes: Uint8Array) => typeof decodeProtobuf(bytes, service).ok === 'boolean'

  test('whatever comes after the magic', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (tail) =>
        isOutcome(new Uint8Array([...text('k8s\0'), ...tail])),
      ),
    )
  })

  test('whatever a message of any kind is said to hold', () => {
    const kinds = Object.keys(filled).map((title) => title.split(' '))
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 120 }),
        ([apiVersion = '', kind = ''], message) => isOutcome(envelope(apiVersion, kind, message)),
      ),
    )
  })

  test('real bodies with some bytes changed', () => {
    const bodies = [...Object.values(filled), ...recorded.map(({ sent }) => sent)].map(bytesOf)
    const change = fc.tuple(fc.nat(20_000), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.array(change, { maxLength: 4 }),
        (body, changes) => {
          const bytes = body.slice()
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          return isOutcome(bytes)
        },
      ),
    )
  })

  test('a body that is cut is refused wherever a part of its envelope is', () => {
    for (const { sent } of recorded.slice(0, 6)) {
      const bytes = bytesOf(sent)
      const cuts = Array.from(bytes, (_, length) => bytes.subarray(0, length))
      const accepted = cuts.filter((cut) => decodeProtobuf(cut, service).ok)
      // After the type, after the message, after the (empty) encoding: all are whole envelopes.
      expect(accepted.length).toBeLessThanOrEqual(3)
    }
  })
})

test('a schema that nests without end is refused, not read', () => {
  const length = (size: number): number[] =>
    size < 128 ? [size] : [(size & 127) | 128, ...length(size >> 7)]
  const inside = (field: number, bytes: readonly number[]): number[] => [
    ...length((field << 3) | 2),
    ...length(bytes.length),
    ...bytes,
  ]
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
  const sent = (deep: number) => {
    let schema: number[] = []
    for (let level = 0; level < deep; level += 1) schema = inside(28, schema)
    const version = inside(4, inside(1, schema))
    const raw = inside(2, inside(2, inside(7, version)))
    return decoded(new Uint8Array([0x6b, 0x38, 0x73, 0, ...raw]), crd)
  }
  expect(sent(100)).toMatchObject({ spec: { versions: [{ schema: {} }] } })
  expect(sent(5_000)).toMatchObject({ code: 400, reason: 'BadRequest' })
})
