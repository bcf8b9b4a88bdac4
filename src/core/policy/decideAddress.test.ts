import { expect, test } from 'vitest'
import { addressRecord } from '../../../test/build/addressRecord.ts'
import { ip, pool, service, worldOf } from '../../../test/build/announcing.ts'
import { type AddressView, sharedWith } from '../model/address.ts'
import { addresses } from './decideAddress.ts'

const lan = pool('lan', ['10.0.0.0/30'])
const address = ip('10.0.0.1')
const held = (name: string) => {
  const view = service(name, ['10.0.0.1'], { sharingKey: 'k' })
  return { view, intent: { service: view.key, ips: [address], wait: undefined } }
}
const object = (given?: Partial<AddressView>) => addressRecord('10.0.0.1', given)
const holder = (name: string) => ({
  kind: 'Service',
  namespace: 'default',
  name,
  uid: `uid-of-${name}`,
  ports: [`TCP/${name}`],
  backend: '',
})

test('[R3.1] holders in the order of their names, one object', () => {
  const world = worldOf(lan, held('b').view, held('a').view)
  for (const name of ['b', 'a']) world.apply({ type: 'intent', intent: held(name).intent })
  expect(addresses.record(world, address)).toEqual({
    type: 'put',
    name: '10.0.0.1',
    isOurs: true,
    spec: { address, pool: 'lan', sharingKey: 'k', holders: [holder('a'), holder('b')] },
  })
})

test('[R3.1] nothing is written where nothing is wrong', () => {
  const right = object({ pool: 'lan', sharingKey: 'k', holders: [holder('a')] })
  const world = worldOf(lan, held('a').view, right)
  expect(addresses.record(world, address)).toBeUndefined()
})

test.each([
  ['[R3.1] ours without holders goes', object(), { type: 'delete' }],
  ['[R3.5] a reservation stays', object({ reservedFor: 'default/x' }), undefined],
  ['[R3.3] what a person made stays', object({ isOurs: false }), undefined],
  [
    '[R3.10] holders that a person wrote are put right',
    object({ isOurs: false, pool: 'x', holders: [holder('nobody')] }),
    { type: 'put', spec: { holders: [], pool: '' } },
  ],
])('%s', (_, view, write) => {
  const decided = addresses.record(worldOf(lan, view), address)
  if (write === undefined) expect(decided).toBeUndefined()
  else expect(decided).toMatchObject(write)
})

test('[R3.9] who only shows it is recorded once that is decided, not before', () => {
  const { view, intent } = held('a')
  const world = worldOf(lan, view)
  expect(addresses.record(world, address)).toBeUndefined()
  world.apply({ type: 'intent', intent })
  expect(addresses.record(world, address)).toMatchObject({ spec: { holders: [holder('a')] } })
})

test('[R3.11] who changes into a taken port stays recorded as it was until it has left', () => {
  const record = object({ pool: 'lan', sharingKey: 'k', holders: [holder('a'), holder('b')] })
  const { view, intent } = held('a')
  const world = worldOf(lan, { ...view, ports: ['TCP/b'] }, held('b').view, record)
  world.apply({ type: 'intent', intent })
  expect(addresses.record(world, address)).toBeUndefined()
})

test('[R3.9] of two that conflict, whose status shows it is recorded, not the older one', () => {
  const old = service('old', [], { createdAt: '2025-01-01T00:00:00Z' })
  const world = worldOf(lan, old, service('young', ['10.0.0.1']))
  for (const name of ['old', 'young']) {
    world.apply({ type: 'intent', intent: held(name).intent })
  }
  expect(addresses.record(world, address)).toMatchObject({ spec: { holders: [holder('young')] } })
})

test('the other holders are told in one field, for tables', () => {
  const holder = (key: string) => {
    const [namespace = '', name = ''] = key.split('/')
    return { kind: 'Service', namespace, name, uid: '', ports: [], backend: '' }
  }
  const told = (...keys: readonly string[]) => sharedWith(keys.map(holder))
  expect([told(), told('a/x')]).toEqual(['', ''])
  expect(told('a/x', 'a/y', 'b/z')).toBe('y, b/z')
  expect(told('a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'a/6')).toBe('2, 3, 4 and 2 more')
})
