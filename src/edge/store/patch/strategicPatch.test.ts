import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { definition } from '../kinds/definitions.ts'
import { strategicPatch } from './strategicPatch.ts'

const service = definition('io.k8s.api.core.v1.Service')
const deployment = definition('io.k8s.api.apps.v1.Deployment')

const port = (number: number, name = `p${number}`) => ({ name, port: number })
const live: JsonObject = {
  metadata: { name: 'web', annotations: { a: 'b' }, finalizers: ['x/a', 'x/b'] },
  spec: { type: 'ClusterIP', selector: { x: '1' }, ports: [port(80), port(81)] },
}

const patched = (patch: unknown, from: JsonObject = live): JsonObject => {
  const outcome = strategicPatch(service, from, patch)
  if (!outcome.ok) throw new Error(outcome.status.message)
  return outcome.value
}
const ports = (patch: JsonObject) => (patched({ spec: patch })['spec'] as { ports: unknown }).ports
const finalizers = (patch: JsonObject) =>
  (patched({ metadata: patch })['metadata'] as { finalizers: unknown }).finalizers

describe('[C45] lists with a merge key', () => {
  test.each([
    {
      about: 'an item is merged with the one of its key',
      patch: { ports: [{ port: 81, name: 'bb' }] },
      after: [port(80), port(81, 'bb')],
    },
    {
      about: 'a new one comes after those it has nothing to do with',
      patch: { ports: [port(82)] },
      after: [port(82), port(80), port(81)],
    },
    {
      about: 'what the patch names comes in its order',
      patch: { ports: [port(81), port(80)] },
      after: [port(81), port(80)],
    },
    {
      about: 'one is deleted',
      patch: { ports: [{ port: 80, $patch: 'delete' }] },
      after: [port(81)],
    },
    {
      about: 'all are replaced',
      patch: { ports: [port(90), { $patch: 'replace' }] },
      after: [port(90)],
    },
    {
      about: 'the order is set',
      patch: { '$setElementOrder/ports': [{ port: 81 }, { port: 80 }] },
      after: [port(81), port(80)],
    },
    {
      about: 'the order is set for a new one',
      patch: {
        '$setElementOrder/ports': [{ port: 81 }, { port: 82 }, { port: 80 }],
        ports: [port(82)],
      },
      after: [port(81), port(82), port(80)],
    },
    {
      about: 'what the order does not name stays where it was',
      patch: { '$setElementOrder/ports': [{ port: 82 }, { port: 81 }], ports: [port(82)] },
      after: [port(82), port(80), port(81)],
    },
    {
      about: 'what the order no longer names is deleted by name',
      patch: {
        '$setElementOrder/ports': [{ port: 81 }],
        ports: [{ port: 80, $patch: 'delete' }],
      },
      after: [port(81)],
    },
    { about: 'an empty list changes nothing', patch: { ports: [] }, after: [port(80), port(81)] },
  ])('$about', ({ patch, after: expected }) => {
    expect(ports(patch)).toEqual(expected)
  })

  test('of a list that is new only its items are taken', () => {
    const items = [port(80), { port: 81, $patch: 'delete' }, { port: 82, name: null }]
    expect(patched({ spec: { ports: items } }, { spec: {} })).toEqual({
      spec: { ports: [port(80), { port: 82 }] },
    })
  })

  test('items merge deep inside, each list by its own key', () => {
    const containers = [
      { name: 'a', env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80 }] },
      { name: 'b' },
    ]
    const from = { spec: { template: { spec: { containers } } } }
    const env = [
      { name: 'Y', value: '2' },
      { name: 'X', $patch: 'delete' },
    ]
    const patch = { spec: { template: { spec: { containers: [{ name: 'a', env }] } } } }
    const a = { name: 'a', env: [{ name: 'Y', value: '2' }], ports: [{ containerPort: 80 }] }
    expect(strategicPatch(deployment, from, patch)).toEqual({
      ok: true,
      value: { spec: { template: { spec: { containers: [a, { name: 'b' }] } } } },
    })
  })
})

describe('[C45] lists of scalars that merge', () => {
  test.each([
    { about: 'are joined', patch: { finalizers: ['x/c', 'x/a'] }, after: ['x/c', 'x/a', 'x/b'] },
    {
      about: 'lose what is deleted',
      patch: { '$deleteFromPrimitiveList/finalizers': ['x/a'] },
      after: ['x/b'],
    },
    {
      about: 'gain and lose at once',
      patch: { '$deleteFromPrimitiveList/finalizers': ['x/a'], finalizers: ['x/c'] },
      after: ['x/c', 'x/b'],
    },
    {
      about: 'are put in order',
      patch: { '$setElementOrder/finalizers': ['x/c', 'x/b', 'x/a'], finalizers: ['x/c'] },
      after: ['x/c', 'x/b', 'x/a'],
    },
    {
      about: 'do not lose what is not said as a list',
      patch: { '$deleteFromPrimitiveList/finalizers': 'x/a' },
      after: ['x/a', 'x/b'],
    },
    {
      about: 'go with null',
      patch: { '$deleteFromPrimitiveList/finalizers': null },
      after: undefined,
    },
    {
      about: 'that are not there lose nothing',
      patch: { '$deleteFromPrimitiveList/nope': ['x/a'] },
      after: ['x/a', 'x/b'],
    },
  ])('$about', ({ patch, after: expected }) => {
    expect(finalizers(patch)).toEqual(expected)
  })
})

describe('[C45] objects', () => {
  test.each([
    {
      about: 'null removes, the rest merges',
      patch: { metadata: { annotations: { a: null, c: 'd' } } },
      after: { metadata: { annotations: { c: 'd' } } },
    },
    {
      about: 'a list without a strategy is replaced',
      patch: { spec: { externalIPs: ['1.1.1.1'] } },
      after: { spec: { externalIPs: ['1.1.1.1'] } },
    },
    {
      about: 'replace',
      patch: { metadata: { annotations: { $patch: 'replace', q: 'r' } } },
      after: { metadata: { annotations: { q: 'r' } } },
    },
    {
      about: 'delete',
      patch: { metadata: { annotations: { $patch: 'delete' } } },
      after: { metadata: { annotations: {} } },
    },
    {
      about: 'only what is retained is left',
      patch: { spec: { $retainKeys: ['type', 'ports'], type: 'NodePort' } },
      after: { spec: { type: 'NodePort', ports: [port(80), port(81)] } },
    },
    {
      about: 'another type is taken as it is',
      patch: { spec: { type: { a: null, b: 1 } } },
      after: { spec: { type: { b: 1 } } },
    },
  ])('$about', ({ patch, after: expected }) => {
    const changed = patched(patch)
    for (const [name, value] of Object.entries(expected)) {
      const kept = name === 'spec' && 'ports' in value ? {} : (live[name] as JsonObject)
      expect(changed[name]).toEqual({ ...kept, ...value })
    }
  })

  test('a directive for what is not there leaves nothing', () => {
    expect(patched({ spec: { a: { $patch: 'replace', b: 1 } } }, { spec: {} })).toEqual({
      spec: {},
    })
  })

  test('null is no patch, and changes nothing', () => {
    expect(patched(null)).toBe(live)
  })

  test('the strategy of a Deployment is replaced with its type', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }
    expect(strategicPatch(deployment, { spec: { strategy } }, patch)).toEqual({
      ok: true,
      value: { spec: { strategy: { type: 'Recreate' } } },
    })
  })
})

const unfit = 'the server rejected our request due to an error in our request'

describe('[C45] what is refused, in the words of kube-apiserver 1.36.3', () => {
  test.each([
    {
      patch: [1],
      code: 400,
      message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      patch: 'x',
      code: 400,
      message: 'json: cannot unmarshal string into Go value of type map[string]interface {}',
    },
    {
      patch: { metadata: { $deleteFromPrimitiveList: ['x/a'] } },
      code: 400,
      message: 'invalid patch format of primitive list',
    },
    {
      patch: { metadata: { $setElementOrder: ['x/a'] } },
      code: 400,
      message: 'invalid patch format of setElementOrder list',
    },
    {
      patch: { spec: { $retainKeys: 'x' } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      patch: { spec: { $retainKeys: ['ports'], type: 'NodePort' } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      patch: { spec: { ports: [{ name: 'x' }] } },
      code: 500,
      message: 'map: map[name:x] does not contain declared merge key: port',
    },
    {
      patch: { spec: { ports: [{ name: 'x', $patch: 'delete' }] } },
      code: 500,
      message: 'map: map[$patch:delete name:x] does not contain declared merge key: port',
    },
    {
      patch: { spec: { ports: [{ port: 80, $patch: 'bogus' }] } },
      code: 500,
      message: 'unknown patch type: bogus in map: map[$patch:bogus port:80]',
    },
    {
      patch: { spec: { ports: [{ port: 80, $patch: 'merge' }] } },
      code: 500,
      message: 'merging lists cannot yet be specified in the patch',
    },
    {
      patch: { spec: { $patch: 'merge' } },
      code: 500,
      message: 'unknown patch type: merge in map: map[$patch:merge]',
    },
    {
      patch: { spec: { ports: [1, 2] } },
      code: 500,
      message:
        'list element types are not identical: [[map[name:p80 port:80] map[name:p81 port:81]] [1 2]]',
    },
    {
      patch: { metadata: { finalizers: [null] } },
      code: 500,
      message: 'list element types are not identical: [[x/a x/b] [<nil>]]',
    },
    {
      patch: { metadata: { '$setElementOrder/finalizers': 'x', finalizers: ['x/c'] } },
      code: 500,
      message: 'expected a []interface {}, but received a string',
    },
    {
      patch: { metadata: { '$setElementOrder/finalizers': ['x'], finalizers: ['x/c'] } },
      code: 500,
      message: "The order in patch list:\n[x/c]\n doesn't match $setElementOrder list:\n[x]\n",
    },
    {
      patch: { spec: { '$setElementOrder/ports': [{ port: 81 }], ports: [port(82)] } },
      code: 500,
      message:
        "The order in patch list:\n[map[name:p82 port:82]]\n doesn't match $setElementOrder list:\n[map[port:81]]\n",
    },
    {
      patch: { spec: { '$setElementOrder/ports': [{ name: 'a' }], ports: [port(82)] } },
      code: 500,
      message: 'map: map[name:a] does not contain declared merge key: port',
    },
    {
      patch: { spec: { '$setElementOrder/ports': [1] } },
      code: 500,
      message: 'value for key 0 is not a map',
    },
  ])('$patch: $code $message', ({ patch, code, message }) => {
    const reason = code === 400 ? 'BadRequest' : ''
    expect(strategicPatch(service, live, patch)).toMatchObject({
      ok: false,
      status: { code, reason, message },
    })
  })

  test('lists of lists do not merge', () => {
    const from = { metadata: { finalizers: [['x']] } }
    expect(strategicPatch(service, from, { metadata: { finalizers: [['y']] } })).toMatchObject({
      ok: false,
      status: { code: 422, reason: 'Invalid', message: unfit },
    })
  })
})

describe('whatever the patch', () => {
  const numbers = fc.integer({ min: 80, max: 84 })
  const item = fc.oneof(
    numbers.map((number) => port(number)),
    numbers.map((number) => ({ port: number, $patch: 'delete' })),
    fc.constant({ $patch: 'replace' }),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const spec = fc.record(
    {
      ports: fc.array(item, { maxLength: 4 }),
      '$setElementOrder/ports': fc.array(numbers.map((number) => ({ port: number }))),
      selector: fc.dictionary(fc.constantFrom('x', 'y', '$patch', '__proto__'), fc.jsonValue()),
      $retainKeys: fc.subarray(['ports', 'selector', '$patch']),
    },
    { requiredKeys: [] },
  )

  test('the object stays as it was, and so does the patch', () => {
    fc.assert(
      fc.property(fc.record({ spec }), (patch) => {
        const before = [JSON.stringify(live), JSON.stringify(patch)]
        strategicPatch(service, live, patch)
        expect([JSON.stringify(live), JSON.stringify(patch)]).toEqual(before)
      }),
      { numRuns: 500 },
    )
  })

  test('a patch that says what is there changes nothing', () => {
    expect(patched(live)).toEqual(live)
  })
})
