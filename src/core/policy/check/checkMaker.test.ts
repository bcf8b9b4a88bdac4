import { expect, test } from 'vitest'
import { l2, node, pool, worldOf } from '../../../../test/build/announcing.ts'
import { tenant } from '../../../../test/build/wires.ts'
import type { View } from '../../model/view.ts'
import { check } from './check.ts'

const cidrs = ['172.27.0.0/24']
const range = '172.27.0.80-172.27.0.90'
const south = tenant('south', { cidrs, loadBalancer: [range] })
const ours = { isOurs: true, tenant: 'south', madeFrom: 'south' }
const bare = pool('south-internalapi', [range])
const made = { ...bare, ...ours }
const restored = { ...made, madeFrom: '' }
const advertised = { ...l2('internalapi-south'), maker: 'Tenant/south' }

const hosts: View = {
  kind: 'NodeNetworkConfigurationPolicy',
  name: 'berth-worker-0',
  maker: 'Node/worker-0',
  interfaces: [],
  nextHops: [],
}
const { maker: _, ...anybodys } = hosts

type Case = readonly [what: string, before: View, after: View, isAllowed: boolean]
const cases: readonly Case[] = [
  ['loses owner and labels', made, bare, false],
  ['that a backup brought back loses its labels', restored, bare, false],
  ['is labelled for nobody, without its owner', made, { ...restored, tenant: '' }, false],
  ['is labelled for another tenant, without its owner', made, { ...restored, tenant: 'x' }, false],
  ['loses its owner alone', made, restored, true],
  ['of another kind loses both', advertised, l2('internalapi-south'), false],
  ['says how a node is configured loses both', hosts, anybodys, false],
  ['that nobody made changes', bare, { ...bare, autoAssign: false }, true],
]
const errors = (world: ReturnType<typeof worldOf>, before: View, view: View) =>
  check(world, { view, before, bgpMode: 'native' }).map(({ path }) => path)

test.each(cases)('[R4.19] one that %s', (_, before, after, isAllowed) => {
  const world = worldOf(south, node('worker-0'), before)
  expect(errors(world, before, after)).toEqual(isAllowed ? [] : ['metadata.labels'])
})

test("[R4.19] what was made from a tenant that is gone, or goes, is anybody's", () => {
  expect(errors(worldOf(made), made, bare)).toEqual([])
  expect(errors(worldOf({ ...south, isGoing: true }, made), made, bare)).toEqual([])
})
