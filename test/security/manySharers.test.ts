// Thousands of Services that share one address, which a quota counts once. The attacker may make Services
// in its namespace. Afterwards: what it takes to record one more grows with their number.
// Before: it grew with the square of it: with 8,000 of them, each decision about the address took the
// controller 0.3 s, and Services of others waited meanwhile.
import { expect, test } from 'vitest'
import type { AddressView, Holder } from '../../src/core/model/address.ts'
import type { View } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { nameOfAddress } from '../../src/core/net/addressName.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { addresses } from '../../src/core/policy/decideAddress.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const ip = '10.0.0.1' as Ip
const berth = 'berth.dev/v1alpha1'

function viewOf(json: object): View {
  const decoded = decode(json)
  if (decoded.kind !== 'view') throw new Error(JSON.stringify(decoded))
  return decoded.view
}

const pool = {
  ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' },
  metadata: { name: 'p', namespace: 'metallb-system' },
  spec: { addresses: [`${ip}/32`] },
}
const service = (at: number, ingress: readonly object[]) => ({
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: {
    ...{ name: `s${at}`, namespace: 'alpha', uid: `u${at}` },
    annotations: { 'metallb.io/allow-shared-ip': 'key' },
  },
  spec: { type: 'LoadBalancer', clusterIPs: ['10.96.0.1'], ports: [{ port: at + 1 }] },
  status: { loadBalancer: { ingress } },
})
const holder = (at: number) => ({
  ...{ kind: 'Service', namespace: 'alpha', name: `s${at}`, uid: `u${at}` },
  ...{ ports: [`TCP/${at + 1}`], backend: '' },
})
const address = (holders: readonly object[]) => ({
  ...{ apiVersion: berth, kind: 'Address' },
  metadata: { name: nameOfAddress(ip), labels: { 'app.kubernetes.io/managed-by': 'berth' } },
  spec: { address: ip, pool: 'p', sharingKey: 'key', holders },
})
const sorted = (some: readonly Holder[]) =>
  some.toSorted((one, other) => (one.name < other.name ? -1 : 1))

/** How often a recorded holder is looked at, to record one more. */
function looksFor(count: number): number {
  const world = new World(settings)
  const put = (view: View) => world.apply({ type: 'upsert', view })
  world.apply({ type: 'adoption', isOver: true })
  put(viewOf(pool))
  let looks = 0
  const record = viewOf(
    address(Array.from({ length: count }, (_, at) => holder(at))),
  ) as AddressView
  put({ ...record, holders: sorted(record.holders) })
  for (const one of world.all('Address').get(record.name)?.holders ?? []) {
    const { uid, name } = one
    const counted = (text: string) => ({
      get: () => {
        looks += 1
        return text
      },
    })
    Object.defineProperties(one, { uid: counted(uid), name: counted(name) })
  }
  for (let at = 0; at < count; at++) put(viewOf(service(at, [{ ip }])))
  put(viewOf(service(count, [])))
  const { intent } = decideService(world, `alpha/s${count}`)
  if (intent !== undefined) world.apply({ type: 'intent', intent })
  looks = 0
  const write = addresses.record(world, ip)
  expect(write?.type === 'put' && write.spec.holders).toHaveLength(count + 1)
  return looks
}

test('[R3.11] four times as many are a little more than four times the work', () => {
  expect(looksFor(1_600) / looksFor(400)).toBeLessThan(6)
})
