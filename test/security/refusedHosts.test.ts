// Thousands of hosts whose Reservations the API server refuses. The attacker may make IPSets in its
// namespace, which has a quota, or gives them names, for which the API server refuses objects.
// Afterwards: hosts of other namespaces get their addresses.
// Before: hosts of other namespaces waited.

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BlockClaims } from '../../src/app/openstack/blockClaims.ts'
import { IpamWorker } from '../../src/app/openstack/ipamWorker.ts'
import { NodeRecords } from '../../src/app/openstack/nodeRecords.ts'
import { World } from '../../src/core/model/world.ts'
import { coreDeciders, hostClaimsAmong } from '../../src/core/policy/deciders.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import type { Api, ApiRequest } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { Versions } from '../../src/edge/kube/feed/versions.ts'
import { WritePace } from '../../src/edge/kube/write/writePace.ts'

const apiVersion = 'network.openstack.org/v1beta1'
const subnet = { name: 's', cidr: '10.0.0.0/8' }
const range = { start: '10.0.0.1', end: '10.255.255.250' }
const object = (kind: string, metadata: { name: string; namespace: string }, spec: object) => ({
  ...{ apiVersion, kind, spec },
  metadata: { ...metadata, uid: `${metadata.namespace}-${metadata.name}`, resourceVersion: '1' },
})
const config = (namespace: string) =>
  object(
    'NetConfig',
    { name: 'netconfig', namespace },
    { networks: [{ name: 'net', subnets: [{ ...subnet, allocationRanges: [range] }] }] },
  )
const ipSet = (namespace: string, name: string) =>
  object('IPSet', { name, namespace }, { networks: [{ name: 'net', subnetName: 's' }] })

/** Takes everything but Reservations in alpha, and sends back what it took. */
function refusingApi(made: string[]): Pick<Api, 'call'> {
  let version = 1
  return {
    async call({ method, path, body }: ApiRequest) {
      await turn()
      if (method !== 'GET' && path.includes('/alpha/reservations')) {
        const request = `${method} ${path}`
        const refused = { request, code: 403, reason: 'Forbidden', message: 'exceeded quota' }
        throw new ApiError({ ...refused, status: {}, retryAfterMs: undefined })
      }
      made.push(`${method} ${path}`)
      const given = body as { metadata?: object } | undefined
      const metadata = { uid: 'made', ...given?.metadata, resourceVersion: String(++version) }
      return { ...given, metadata }
    },
  }
}

test('[R12.7] those who are refused do not keep the others waiting', async () => {
  const world = new World(settings)
  const hosts = Array.from({ length: 2_500 }, (_, at) => ipSet('alpha', `h${at}`))
  for (const json of [config('alpha'), config('beta'), ...hosts, ipSet('beta', 'zz')]) {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }
  const made: string[] = []
  const api = refusingApi(made) as Api
  const records = new NodeRecords({ api, world, versions: new Versions(), mayWrite: () => true })
  const [timestamp, nowMs] = [() => '2026-01-01T00:00:00Z', () => 0]
  /** Nobody's wait ends: whoever is served is served without that. */
  const sleep = (ms: number) => new Promise<void>(ms === 250 ? setImmediate : () => undefined)
  const deciders = hostClaimsAmong(coreDeciders)
  const worker = new IpamWorker({
    ...{ world, deciders, records, timestamp },
    claims: new BlockClaims({ world, decider: deciders.blocks, records, timestamp, nowMs, sleep }),
    keep: async () => undefined,
    pace: new WritePace(() => 0),
    clock: { nowMs, sleep },
    mayWrite: () => true,
    say: () => undefined,
    failed: () => undefined,
    parked: () => undefined,
    decided: () => undefined,
    entered: () => undefined,
  })
  worker.pump()
  const served = 'POST /apis/network.openstack.org/v1beta1/namespaces/beta/reservations'
  for (let turns = 0; turns < 20_000 && !made.includes(served); turns++) await turn()
  expect(made).toContain(served)
})
