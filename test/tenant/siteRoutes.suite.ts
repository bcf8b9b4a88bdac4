// Does nmstate take the routes of a Site, and their removal (R6.6)?
import { spawnSync } from 'node:child_process'
import { expect, inject, test } from 'vitest'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { recordAt } from '../../src/core/model/json.ts'
import type { View } from '../../src/core/model/view.ts'
import { sites } from '../../src/core/policy/decideSite.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { node, worldOf } from '../build/announcing.ts'
import { reported } from '../build/wires.ts'

const judge = inject('judges').nmstate
const isHere = test.skipIf(judge === '')
const policyKind = 'NodeNetworkConfigurationPolicy'

function viewOf(json: JsonObject): View {
  const decoded = decode(json)
  if (decoded.kind !== 'view') throw new Error(JSON.stringify(decoded))
  return decoded.view
}

const site = (destinations: readonly string[]): View =>
  viewOf({
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Site',
    metadata: { name: 'cluster', uid: 'a' },
    spec: {
      internalNetwork: '10.0.0.0/24',
      external: {
        ...{ apiVIP: '203.0.113.10', ingressVIP: '203.0.113.11', prefixLength: 24 },
        gateway: '203.0.113.1',
        routes: destinations.map((destination) => ({ destination })),
      },
    },
  })

type Stand = {
  readonly put: (view: View) => void
  /** The policy that is written now; undefined if it is deleted. */
  readonly policy: () => JsonObject | undefined
  readonly says: (object: JsonObject, generation: number, recorded: number) => void
}

function stand(): Stand {
  const world = worldOf(node('worker-0'), reported('worker-0', ['eth1=203.0.113.5/24']))
  const put = (view: View) => world.apply({ type: 'upsert', view })
  return {
    put,
    policy() {
      const { writes } = sites.decide(world, 'cluster')
      const write = writes.find((one) => {
        return one.type === 'apply' && one.object['kind'] === policyKind
      })
      return write?.type === 'apply' ? write.object : undefined
    },
    says(object, generation, recorded) {
      const conditions = [{ type: 'Available', status: 'True' }]
      const metadata = { ...recordAt(object, 'metadata'), generation }
      put(viewOf({ ...object, metadata, status: { conditions } }))
      put(
        viewOf({
          apiVersion: 'nmstate.io/v1beta1',
          kind: 'NodeNetworkConfigurationEnactment',
          metadata: { name: 'worker-0.berth.site' },
          status: { policyGeneration: recorded, conditions },
        }),
      )
    },
  }
}

/** On a node nmstate finds it there; here it has only what it is given. */
const address = [{ ip: '203.0.113.5', 'prefix-length': 24 }]
const ipv4 = { enabled: true, dhcp: false, address }
const asItStands = { name: 'eth1', type: 'ethernet', state: 'up', ipv4 }

const routesIn = (object: JsonObject | undefined): unknown =>
  recordAt(recordAt(recordAt(object, 'spec'), 'desiredState'), 'routes')['config']

isHere('[R6.6] from the first route until the last is gone, nmstate takes every policy', () => {
  const { put, policy, says } = stand()
  put(site(['192.0.2.0/24', '0.0.0.0/0']))
  const both = policy() ?? {}
  says(both, 1, 1)
  put(site(['192.0.2.0/24']))
  const one = policy() ?? {}
  expect(routesIn(one)).toMatchObject([
    { destination: '192.0.2.0/24' },
    { destination: '0.0.0.0/0', state: 'absent' },
  ])
  const states = [both, one].map((object) => ({
    ...recordAt(recordAt(object, 'spec'), 'desiredState'),
    interfaces: [asItStands],
  }))
  const input = states.map((state) => `${JSON.stringify(state)}\n`).join('')
  const { stdout } = spawnSync(judge, { input, encoding: 'utf8' })
  const errors = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { error?: string }).error)
  expect(errors).toEqual([undefined, undefined])
})

isHere('[R6.6] a route stays absent until nmstate has seen that it should be', () => {
  const { put, policy, says } = stand()
  put(site(['192.0.2.0/24', '0.0.0.0/0']))
  const both = policy() ?? {}
  says(both, 1, 1)
  put(site(['192.0.2.0/24']))
  const one = policy() ?? {}
  // Available still, but of the policy before the edit.
  says(one, 2, 1)
  expect(routesIn(policy())).toHaveLength(2)
  says(one, 2, 2)
  expect(routesIn(policy())).toMatchObject([{ destination: '192.0.2.0/24' }])
})
