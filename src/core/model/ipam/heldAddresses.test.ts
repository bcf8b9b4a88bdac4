import { expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import { HeldAddresses } from './heldAddresses.ts'

const wire = 'wire/trunk'

/** As a block says it of one who is gone. */
function keep(held: HeldAddresses, key: string, { address = '', gone = '' }): void {
  const [namespace = '', name = ''] = key.split('/')
  const claim = { address: ip(address), namespace, name, uid: 'u', network: 'n', keep: '9s', gone }
  held.set({ wire, address: ip(address), key }, { claim })
}

test('[R12.14] what is kept for other namespaces, who is gone longest first', () => {
  const held = new HeldAddresses()
  keep(held, 'red/b', { address: '10.0.0.2', gone: '2026-01-02' })
  keep(held, 'blue/c', { address: '10.0.0.3', gone: '2026-01-03' })
  keep(held, 'red/a', { address: '10.0.0.1', gone: '2026-01-04' })
  keep(held, 'mine/d', { address: '10.0.0.4', gone: '2026-01-01' })
  const others = () => [...held.keptBeside(wire, 'mine')].map(({ key }) => key)
  expect(others()).toEqual(['red/b', 'blue/c', 'red/a'])
  // It was there again, and has gone once more.
  keep(held, 'red/b', { address: '10.0.0.2', gone: '' })
  expect(others()).toEqual(['blue/c', 'red/a'])
  keep(held, 'red/b', { address: '10.0.0.2', gone: '2026-01-05' })
  expect(others()).toEqual(['blue/c', 'red/a', 'red/b'])
  const blue = { wire, address: ip('10.0.0.3'), key: 'blue/c' }
  expect(held.unset(blue, { claim: undefined })).toBe(true)
  expect(others()).toEqual(['red/a', 'red/b'])
})

test('[R12.14] the first is found without a look at all that is kept', () => {
  const held = new HeldAddresses()
  for (let at = 0; at < 500; at++) {
    const address = `10.0.${at >> 8}.${at & 255}`
    for (const namespace of ['red', 'mine']) {
      keep(held, `${namespace}/h${at}`, { address, gone: '2026-01-01' })
    }
  }
  let looks = 0
  for (let at = 0; at < 500; at++) {
    for (const one of held.of(`red/h${at}`)) {
      const { claim } = one
      const get = () => {
        looks += 1
        return claim
      }
      Object.defineProperty(one, 'claim', { get })
    }
  }
  expect(held.keptBeside(wire, 'mine').next().value?.key).toBe('red/h0')
  expect(looks).toBeLessThan(10)
})
