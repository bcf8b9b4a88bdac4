import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definition } from '../kinds/definitions.ts'
import { converting } from './goWords.ts'
import { readBuiltIn } from './readBuiltIn.ts'

const core = (name: string) => definition(`io.k8s.api.core.v1.${name}`)
const read = (kind: string, json: object) => readBuiltIn(core(kind), { ...json })

test('unknown fields and empty values go; what a pointer holds is kept, and some is always shown', () => {
  const service = {
    metadata: { name: 'a', labels: {}, colour: 'red' },
    spec: {
      ports: [{ port: 80, nodePort: 0, name: '', shape: 'round' }],
      selector: {},
      publishNotReadyAddresses: false,
      allocateLoadBalancerNodePorts: false,
      externalName: null,
    },
    shape: 'round',
  }
  expect(read('Service', service)).toEqual({
    ok: true,
    json: {
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80, targetPort: 0 }], allocateLoadBalancerNodePorts: false },
      status: { loadBalancer: {} },
    },
    unknownFields: ['metadata.colour', 'spec.ports[0].shape', 'shape'],
  })
})

test('an event has times, known or not', () => {
  const { json } = read('Event', {}) as { json: object }
  expect(json).toMatchObject({ firstTimestamp: null, eventTime: null, source: {} })
})

const wrong: readonly (readonly [string, string, object, string])[] = [
  [
    'text for a number',
    'Service',
    { spec: { ports: [{ port: '80' }] } },
    'string into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [
    'a number for text',
    'ConfigMap',
    { data: { x: 1 } },
    'number into Go struct field ConfigMap.data of type string',
  ],
  [
    'an object for a list',
    'Service',
    { spec: { ports: {} } },
    'object into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort',
  ],
  [
    'a list for an object',
    'Service',
    { spec: [] },
    'array into Go struct field Service.spec of type v1.ServiceSpec',
  ],
  [
    'too large a number',
    'Service',
    { spec: { ports: [{ port: 2 ** 40 }] } },
    'number 1099511627776 into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  ['half a number', 'Service', { spec: { ports: [{ port: 1.5 }] } }, 'number 1.5 into'],
  [
    'a flag for a port',
    'Service',
    { spec: { ports: [{ port: 1, targetPort: true }] } },
    'bool into',
  ],
  [
    'a time that is none',
    'ConfigMap',
    { metadata: { creationTimestamp: 'today' } },
    'parsing time "today"',
  ],
  ['no base64', 'Secret', { data: { x: '?' } }, 'illegal base64 data'],
  ['no quantity', 'Node', { status: { capacity: { cpu: 'many' } } }, 'quantities must match'],
]
test.each(wrong)('%s is refused in the words of Go', (_, kind, json, words) => {
  const { ok, why } = read(kind, json) as { ok: boolean; why: string }
  expect(ok).toBe(false)
  expect(why).toContain(words)
})

/** As recorded from Kubernetes. */
const misfits: readonly (readonly [string, object, string])[] = [
  ['ConfigMap', { data: { x: 3 } }, 'cannot convert int64 to string'],
  ['ConfigMap', { data: { x: true } }, 'unrecognized type: string'],
  ['ConfigMap', { data: ['x'] }, 'cannot restore map from slice'],
  ['ConfigMap', { metadata: 'x' }, 'cannot restore struct from: string'],
  ['ConfigMap', { immutable: 'x' }, 'unrecognized type: bool'],
  ['Service', { spec: { ports: [{ port: 'x' }] } }, 'unrecognized type: int32'],
  ['Service', { spec: { ports: [{ port: 1.5 }] } }, 'cannot convert float64 to int32'],
  ['Service', { spec: { ports: { port: 1 } } }, 'cannot restore slice from map'],
  ['Service', { spec: [] }, 'cannot restore struct from: slice'],
  [
    'Service',
    { spec: { ports: [{ port: 1, targetPort: true }] } },
    'json: cannot unmarshal bool into Go value of type int32',
  ],
  [
    'ConfigMap',
    { metadata: { creationTimestamp: 5 } },
    'json: cannot unmarshal number into Go value of type string',
  ],
  ['Secret', { data: { x: '?' } }, 'error decoding from json: illegal base64 data'],
  ['Secret', { data: { x: 5 } }, 'cannot restore slice from int64'],
]
test.each(misfits)('what a patch makes of a %s is refused: %j', (kind, json, why) => {
  expect(readBuiltIn(core(kind), { ...json }, converting)).toEqual({ ok: false, why })
})

test('[C72] times are kept in UTC: in seconds, of a Lease in microseconds', () => {
  const metadata = { creationTimestamp: '2026-01-02T03:04:05.678+02:00' }
  const map = read('ConfigMap', { metadata })
  expect(map).toMatchObject({ json: { metadata: { creationTimestamp: '2026-01-02T01:04:05Z' } } })
  const lease = definition('io.k8s.api.coordination.v1.Lease')
  const spec = { renewTime: '2026-01-02T03:04:05.000123+01:00' }
  expect(readBuiltIn(lease, { spec })).toMatchObject({
    json: { spec: { renewTime: '2026-01-02T02:04:05.000123Z' } },
  })
  expect(readBuiltIn(lease, { spec: { renewTime: '2026-01-02T03:04:05Z' } }).ok).toBe(false)
})

test('a quantity may be a number; base64 may have line breaks', () => {
  const node = read('Node', { status: { capacity: { cpu: 2, memory: '4Gi' } } })
  expect(node).toMatchObject({ json: { status: { capacity: { cpu: '2', memory: '4Gi' } } } })
  expect(read('Secret', { data: { x: 'YW\nJj' } })).toMatchObject({ json: { data: { x: 'YWJj' } } })
  const loose = read('Secret', { data: { x: 'ZZ\r\n==' } })
  expect(loose).toMatchObject({ json: { data: { x: 'ZQ==' } } })
  for (const x of ['YQ', 'YQ=', 'YW-j', '=']) expect(read('Secret', { data: { x } }).ok).toBe(false)
})

test('in a list nothing is something: what Go has where nothing was said', () => {
  const { json } = read('Service', { spec: { ports: [null], clusterIPs: [null] } }) as {
    json: object
  }
  expect(json).toMatchObject({ spec: { ports: [{ port: 0, targetPort: 0 }], clusterIPs: [''] } })
})

test('what was read is read again as it is', () => {
  const value = fc.jsonValue({ maxDepth: 2 })
  const fields = ['metadata', 'spec', 'status', 'data', 'type', 'ports', 'name', 'labels', 'port']
  const near = fc.letrec((tie) => ({
    object: fc.dictionary(fc.constantFrom(...fields), fc.oneof(value, tie('object'), tie('list')), {
      maxKeys: 4,
    }),
    list: fc.array(fc.oneof(value, tie('object')), { maxLength: 3 }),
  })).object
  fc.assert(
    fc.property(
      near,
      fc.constantFrom('Service', 'Secret', 'Pod', 'Event', 'Node'),
      (json, kind) => {
        const once = read(kind, JSON.parse(JSON.stringify(json)))
        if (!once.ok) return
        expect(readBuiltIn(core(kind), once.json)).toEqual({ ...once, unknownFields: [] })
      },
    ),
  )
})
