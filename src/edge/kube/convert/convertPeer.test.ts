import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { toV1beta1, toV1beta2 } from './convertPeer.ts'

const keptIn = 'berth.dev/bgppeer-v1beta2'
const peer = (version: string, spec: object, metadata: object = { name: 'tor' }): JsonObject => ({
  apiVersion: `metallb.io/${version}`,
  kind: 'BGPPeer',
  metadata,
  spec,
})
const [old, now] = [
  (spec: object, metadata?: object) => peer('v1beta1', spec, metadata),
  (spec: object, metadata?: object) => peer('v1beta2', spec, metadata),
]
const base = { myASN: 64512, peerASN: 64513, peerAddress: '10.0.0.1' }
/** Changes an object as a client of v1beta1 would, leaving unknown fields alone. */
const changed = (object: JsonObject, spec: object): JsonObject => ({
  ...object,
  spec: { ...(object['spec'] as object), ...spec },
})

test('[M1.5] a peer that v1beta1 can express changes only its version', () => {
  const spec = { ...base, peerPort: 179, holdTime: '90s', ebgpMultiHop: true }
  const defaulted = { ...spec, disableMP: false, dualStackAddressFamily: false }
  expect(toV1beta1(now(defaulted))).toEqual(old(spec))
  expect(toV1beta2(old(spec))).toEqual(now(spec))
})

test('[M12.2] an absent timer stays absent, in both directions', () => {
  expect(toV1beta2(old({ ...base, holdTime: '90s' }))).toEqual(now({ ...base, holdTime: '90s' }))
  expect(toV1beta1(now(base))).toEqual(old(base))
})

test('[M12.2] fields that only v1beta2 has survive a change through v1beta1', () => {
  const only = { vrf: 'red', localASN: 64600, connectTime: '10s', enableGracefulRestart: true }
  const before = now({ ...base, ...only, dualStackAddressFamily: true })
  const after = toV1beta2(changed(toV1beta1(before), { holdTime: '30s' }))
  expect(after).toEqual(changed(before, { holdTime: '30s' }))
})

test('[M1.5] zero and empty stand for a router without a fixed number or address', () => {
  const before = now({ myASN: 64512, dynamicASN: 'internal', interface: 'eth1' })
  const read = toV1beta1(before)
  expect(read['spec']).toEqual({ myASN: 64512, peerASN: 0, peerAddress: '' })
  expect(toV1beta2(read)).toEqual(before)
})

const overruling = [
  { before: { dynamicASN: 'external' }, given: { peerASN: 64513 } },
  { before: { interface: 'eth1' }, given: { peerAddress: '10.0.0.1' } },
  { before: { passwordSecret: { name: 'tor' } }, given: { password: 'secret' } },
]
test.each(overruling)('$given in v1beta1 replaces $before', ({ before, given }) => {
  const read = toV1beta1(now({ myASN: 64512, vrf: 'red', ...before }))
  expect(toV1beta2(changed(read, given))).toEqual(now({ myASN: 64512, vrf: 'red', ...given }))
})

test('the note holds a password only next to a passwordSecret', () => {
  const annotation = (spec: object) => {
    const { annotations = {} } = toV1beta1(now(spec))['metadata'] as { annotations?: JsonObject }
    return annotations[keptIn]
  }
  expect(annotation({ ...base, password: 'secret', vrf: 'red' })).toBe('{"vrf":"red"}')
  expect(annotation({ ...base, password: 'secret' })).toBeUndefined()
})

test('[M1.5] an expression without values gets an empty one in v1beta1, which requires one', () => {
  const selectors = (expression: object) => ({
    nodeSelectors: [{ matchLabels: { rack: 'a' } }, { matchExpressions: [expression] }],
  })
  const before = now({ ...base, ...selectors({ key: 'gpu', operator: 'Exists' }) })
  const read = old({ ...base, ...selectors({ key: 'gpu', operator: 'Exists', values: [''] }) })
  expect(toV1beta1(before)).toEqual(read)
  expect(toV1beta2(read)).toEqual(before)
})

test('port 0 of v1beta1 means none: v1beta2 refuses it and has a default', () => {
  expect(toV1beta2(old({ ...base, peerPort: 0 }))).toEqual(now(base))
})

test('other annotations stay, and a note on a v1beta2 object is ignored', () => {
  const annotations = { team: 'net', [keptIn]: '{"vrf":"blue"}' }
  expect(toV1beta1(now(base, { name: 'tor', annotations }))).toEqual(
    old(base, { name: 'tor', annotations: { team: 'net' } }),
  )
})

test.each(['{', '[]', '7', 'null', ''])('a broken note (%s) is ignored', (note) => {
  const metadata = { name: 'tor', annotations: { [keptIn]: note } }
  expect(toV1beta2(old(base, metadata))).toEqual(now(base))
})

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const values = some(fc.array(fc.constantFrom('', 'a'), { maxLength: 2 }))
const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist')
const selector = fc.record({
  matchLabels: some(fc.dictionary(fc.string(), fc.string())),
  matchExpressions: some(fc.array(fc.record({ key: fc.string(), operator, values }))),
})
const asn = fc.constantFrom(0, 64512, 64513)
const address = fc.constantFrom('', '10.0.0.1')
const sharedFields = {
  sourceAddress: some(address),
  holdTime: some(fc.constantFrom('0s', '90s')),
  keepaliveTime: some(fc.constantFrom('0s', '30s')),
  nodeSelectors: some(fc.array(selector)),
  password: some(fc.constantFrom('', 'secret')),
  ebgpMultiHop: some(fc.boolean()),
}
const anyNow = fc.record({
  ...sharedFields,
  myASN: asn,
  peerASN: some(asn),
  peerAddress: some(address),
  peerPort: some(fc.integer({ min: 1, max: 16384 })),
  dynamicASN: some(fc.constantFrom('internal', 'external')),
  interface: some(fc.constant('eth1')),
  passwordSecret: some(fc.record({ name: fc.string() })),
  vrf: some(fc.string()),
  ['__proto__']: some(fc.string()),
  fromTheFuture: some(fc.jsonValue({ maxDepth: 3 })),
})
const anyOld = fc.record({
  ...sharedFields,
  nodeSelectors: some(
    fc.array(
      fc.record({
        matchExpressions: fc.array(
          fc.record({
            key: fc.string(),
            operator,
            values: fc.array(fc.constantFrom('', 'a'), { minLength: 1 }),
          }),
        ),
      }),
    ),
  ),
  myASN: asn,
  peerASN: asn,
  peerAddress: address,
  peerPort: some(fc.integer({ min: 1, max: 16384 })),
})
/** As in JSON, where undefined fields are absent. */
const json = (object: JsonObject): JsonObject => JSON.parse(JSON.stringify(object)) as JsonObject

test('[M12.2] every v1beta2 peer round-trips through v1beta1', () => {
  fc.assert(
    fc.property(anyNow, (spec) => {
      const before = json(now(spec))
      expect(toV1beta2(json(toV1beta1(before)))).toEqual(before)
    }),
  )
})

test('[M12.2] every v1beta1 peer round-trips through v1beta2', () => {
  fc.assert(
    fc.property(anyOld, (spec) => {
      const before = json(old(spec))
      expect(toV1beta1(json(toV1beta2(before)))).toEqual(before)
    }),
  )
})
