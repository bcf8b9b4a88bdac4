import { expect, test } from 'vitest'
import { staleAnnotations } from './staleAnnotations.ts'

const staleWith = (annotations: object, said: Readonly<Record<string, string>>) => {
  const service = { metadata: { namespace: 'os1', name: 'keystone-internal', annotations } }
  const field = 'spec.keystone.template.override.service.internal'
  const override = { namespace: 'os1', name: 'keystone-internal', field, annotations: said }
  return staleAnnotations([override], [service]).map(({ annotation }) => annotation)
}
const [older, newer] = ['metallb.universe.tf/', 'metallb.io/']

test.each(['address-pool', 'loadBalancerIPs', 'allow-shared-ip'])(
  '[R12.17] the newer %s that tenant render adds goes with the older one',
  (name) => {
    const there = { [older + name]: 'a', [newer + name]: 'os1-a' }
    expect(staleWith(there, { [older + name]: 'a' })).toEqual([])
    expect(staleWith(there, {})).toEqual([newer + name, older + name])
    // Nobody renders the older one.
    expect(staleWith(there, { [newer + name]: 'os1-a' })).toEqual([older + name])
  },
)
