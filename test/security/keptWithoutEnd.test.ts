// Ever more addresses are kept for hosts that are gone. The attacker may make IPSets in its namespace,
// and a quota does not count deleted ones. Afterwards: the number of kept addresses is limited, those of
// the hosts that have been gone longest are freed first, and those of other namespaces stay.
// Before: kept addresses used up the wire.
import { expect, test } from 'vitest'
import { blockName } from '../../src/core/model/ipam/addressBlock.ts'
import { World } from '../../src/core/model/world.ts'
import { addressBlocks } from '../../src/core/policy/ipam/decideBlock.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { ip } from '../build/announcing.ts'

const most = 16_384
const now = '2026-01-02T00:00:00Z'
const gone = (at: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + at * 1000).toISOString()

function block(namespace: string, at: number) {
  const first = `10.${at >> 8}.${at & 255}.0`
  const holders = Array.from({ length: 256 }, (_, low) => ({
    ...{ address: `10.${at >> 8}.${at & 255}.${low}`, namespace, name: `h-${at}-${low}` },
    ...{ uid: `u-${at}-${low}`, network: 'net', keep: 'always', gone: gone(at * 256 + low) },
  }))
  const wire = `namespace/${namespace}`
  const name = blockName(wire, ip(first))
  const spec = { wire, first, holders }
  const metadata = { name, uid: name, resourceVersion: '1' }
  return { apiVersion: 'berth.dev/v1alpha1', kind: 'AddressBlock', metadata, spec }
}

test('[R12.14] a namespace keeps so many, and the longest gone are freed', () => {
  const touched = new Set<string>()
  const world = new World(settings)
  world.listen((changed) => {
    if (changed.kind === 'AddressBlock') touched.add(changed.key)
  })
  const put = (json: unknown): void => {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }
  const blocks = Array.from({ length: most / 256 }, (_, at) => block('alpha', at))
  for (const one of [...blocks, block('beta', 0)]) put(one)
  const first = blocks[0]?.metadata.name ?? ''
  expect(addressBlocks.record(world, first, now)).toBeUndefined()
  touched.clear()
  put(block('alpha', most / 256))
  expect(touched).toContain(first)
  const write = addressBlocks.record(world, first, now)
  expect(write).toMatchObject({ type: 'delete', name: first })
  expect(write?.dropped).toHaveLength(256)
  world.apply({ type: 'delete', kind: 'AddressBlock', key: first })
  const [, second] = blocks
  expect(addressBlocks.record(world, second?.metadata.name ?? '', now)).toBeUndefined()
  expect(world.all('AddressBlock').get(first)).toBeUndefined()
  const left = [...world.all('AddressBlock').values()].flatMap(({ holders }) => holders)
  expect(left.filter(({ namespace }) => namespace === 'alpha')).toHaveLength(most)
  expect(left.filter(({ namespace }) => namespace === 'beta')).toHaveLength(256)
})
