// Have the nodes the routes that a Site lists (R6.14)? Nodes say what they have; nmstate is there or
// not.
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { World } from '../../src/core/model/world.ts'
import { siteStandings, sites } from '../../src/core/policy/decideSite.ts'
import { problems } from '../../src/core/policy/problems.ts'
import { WorkQueue } from '../../src/core/policy/workQueue.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const apiVersion = 'berth.dev/v1alpha1'
const site = {
  apiVersion,
  kind: 'Site',
  metadata: { name: 'cluster' },
  spec: {
    internalNetwork: '10.0.0.0/24',
    external: {
      ...{ apiVIP: '203.0.113.10', ingressVIP: '203.0.113.11', prefixLength: 24 },
      ...{ interface: 'eth1', gateway: '203.0.113.1', routes: [{ destination: '192.0.2.0/24' }] },
    },
  },
}
const node = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })
const report = (name: string, routes?: readonly object[]) => ({
  apiVersion,
  kind: 'NodeInterfaces',
  metadata: { name },
  spec: { interfaces: [], ...(routes && { routes }) },
})
const has = { destination: '192.0.2.0/24', via: '203.0.113.1', interface: 'eth1' }
const policy = {
  apiVersion: 'nmstate.io/v1',
  kind: 'NodeNetworkConfigurationPolicy',
  metadata: {
    name: 'berth.site',
    labels: { 'app.kubernetes.io/managed-by': 'berth', 'berth.dev/site': 'cluster' },
    ownerReferences: [{ apiVersion, kind: 'Site', name: 'cluster', uid: '' }],
  },
  spec: { desiredState: { routes: { config: [] } } },
}
const says = (type: string) => ({ ...policy, status: { conditions: [{ type, status: 'True' }] } })

function worldOf(objects: readonly JsonObject[], isServed = false): World {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  for (const json of [site, node('a'), node('b'), ...objects]) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  const kind = 'NodeNetworkConfigurationPolicy'
  world.apply({ type: 'served', kind, isServed })
  return world
}

function told(world: World) {
  const site = world.all('Site').get('cluster')
  const routes = site === undefined ? [] : siteStandings(world, site)
  const nobody = { expected: new Set<string>(), live: new Set<string>() }
  const wrong = problems(world, nobody).filter(({ code }) => /route/.test(code))
  return {
    route: routes.find(({ of }) => of.kind === 'NodeNetworkConfigurationPolicy'),
    problems: wrong.map(({ code, message }) => `${code}: ${message}`),
  }
}

const command = 'ip route replace 192.0.2.0/24 via 203.0.113.1 dev eth1'
const advice = 'the API does not serve NodeNetworkConfigurationPolicy: install nmstate, or run'

test('[R6.14] routes made by hand on every node are made', () => {
  const { route, problems } = told(worldOf([report('a', [has]), report('b', [has])]))
  expect(route).toMatchObject({ state: 'Made', message: '' })
  expect(problems).toEqual([])
})

test.each([
  ['none', []],
  ['one through another router', [{ ...has, via: '203.0.113.2' }]],
  ['one to another network', [{ ...has, destination: '192.0.0.0/16' }]],
])('[R6.14] a node that has %s is named, with the command for it', (_, routes) => {
  const { route, problems } = told(worldOf([report('a', [has]), report('b', routes)]))
  expect(route).toMatchObject({ state: 'NotServed', message: `${advice} on b: ${command}` })
  expect(problems).toEqual(['route-missing: no route to 192.0.2.0/24 via 203.0.113.1 on b'])
})

test.each([
  ['does not report', []],
  ['reports no routes yet', [report('b')]],
])('[R6.14] where a node %s, all of them are told', (_, more) => {
  const { route, problems } = told(worldOf([report('a', [has]), ...more]))
  expect(route).toMatchObject({
    state: 'NotServed',
    message: `${advice} on every node: ${command}`,
  })
  expect(problems).toEqual([`site-routes-not-made: ${advice} on every node: ${command}`])
})

test('[R6.14] of many nodes three are named', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const all = names.flatMap((name) => [node(name), report(name, [])])
  expect(told(worldOf(all)).problems).toEqual([
    'route-missing: no route to 192.0.2.0/24 via 203.0.113.1 on a, b, c and 2 more',
  ])
})

test('[R6.14] a route that nmstate has made and that is gone again is told', () => {
  const reports = [report('a', [has]), report('b', [])]
  expect(told(worldOf([...reports, says('Progressing')], true)).problems).toEqual([])
  const { route, problems } = told(worldOf([...reports, says('Available')], true))
  expect(route).toMatchObject({ state: 'Made' })
  expect(problems).toEqual(['route-missing: no route to 192.0.2.0/24 via 203.0.113.1 on b'])
})

test('[R6.14] a node that reports nothing does not hide that another lacks what nmstate made', () => {
  const { problems } = told(worldOf([report('b', []), says('Available')], true))
  expect(problems).toEqual(['route-missing: no route to 192.0.2.0/24 via 203.0.113.1 on b'])
})

test('[R6.14] a new report has the Site decided again', () => {
  const world = worldOf([report('a', [has])])
  const queue = new WorkQueue(world, sites)
  queue.take()
  const read = decode(report('b', [has]))
  if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  expect([...queue.take()]).toEqual(['cluster'])
})
