import { expect, test } from 'vitest'
import { tenant } from '../../../test/build/wires.ts'
import { Belongings } from './belonging.ts'
import type { Tenant } from './tenant.ts'

const selects = (key: string, value: string) => ({
  matchLabels: { [key]: value },
  matchExpressions: [],
})
const of = (name: string, given: Partial<Tenant>): Tenant => ({ ...tenant(name), ...given })
const labels: Readonly<Record<string, Record<string, string>>> = {
  red: { colour: 'red' },
  both: { colour: 'red', shape: 'round' },
}
const tenants = [
  of('lister', { namespaces: ['both'], services: ['red/special'] }),
  of('red', { namespaces: [], selector: selects('colour', 'red') }),
  of('round', { namespaces: [], selector: selects('shape', 'round') }),
]

test.each([
  ['[R4.1] a listed Service', tenants, 'red/special', { kind: 'tenant', name: 'lister' }],
  [
    '[R4.1] a listed namespace beats selectors',
    tenants,
    'both/web',
    { kind: 'tenant', name: 'lister' },
  ],
  ['[R4.1] a selected namespace', tenants, 'red/web', { kind: 'tenant', name: 'red' }],
  ['[R4.1] nobody claims it', tenants, 'blue/web', { kind: 'none' }],
  [
    '[R4.2] two selectors match',
    tenants.slice(1),
    'both/web',
    { kind: 'ambiguous', names: ['red', 'round'] },
  ],
])('%s', (_, known, key, expected) => {
  const belongings = new Belongings(
    new Map(known.map((one) => [one.name, one])),
    (namespace) => labels[namespace] ?? {},
  )
  expect(belongings.of({ key, namespace: key.split('/')[0] ?? '' })).toEqual(expected)
})
