// How fast does the server accept the controller's writes from a client without any logic? The same
// requests: blocks of 256 addresses, then for each host its Reservation and its status.
import { apiGroups, apiVersionOf } from '../../src/core/model/apiGroups.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { inParallel } from '../kube/bareClient.ts'
import type { Town } from '../kube/town.ts'
import { addressOf, blocks, hostName, ipSets, namespace, networks, reservations } from './town.ts'

export type BareHosts = { readonly atOnce: number; readonly count: number; readonly ms: number }

const uid = '00000000-0000-4000-8000-000000000000'
const subnet = 'subnet1'
const perBlock = 256

function reservation(number: number): object {
  const name = hostName(number)
  const labels = networks.map((network) => [`ipam.network.openstack.org/${network}`, subnet])
  const owner = { ...typeOf('IPSet'), name, uid, controller: true, blockOwnerDeletion: true }
  const entries = networks.map((network, at) => [
    network,
    { network, subnet, address: addressOf(at, number) },
  ])
  return {
    ...typeOf('Reservation'),
    metadata: { name, labels: Object.fromEntries(labels), ownerReferences: [owner] },
    spec: { ipSetRef: {}, reservation: Object.fromEntries(entries) },
  }
}

function status(number: number): object {
  const [lastTransitionTime, severity] = ['2026-01-01T00:00:00Z', '']
  const conditions = ['Ready', 'InputReady', 'ReservationReady'].map((type) => ({
    ...{ type, status: 'True', reason: 'Ready', severity, message: 'Setup complete' },
    lastTransitionTime,
  }))
  return {
    status: {
      observedGeneration: 1,
      conditions,
      reservations: networks.map((network, at) => ({
        ...{ network, subnet, address: addressOf(at, number), mtu: 1500, vlan: 20 + at },
        ...{ cidr: `10.${at}.0.0/16`, serviceNetwork: network.toLowerCase() },
        dnsDomain: `${network.toLowerCase()}.example.com`,
      })),
    },
  }
}

function block(network: number, part: number, count: number): object {
  const first = part * perBlock
  const holders = Array.from({ length: Math.min(perBlock, count - first) }, (_, at) => ({
    ...{ address: addressOf(network, first + at), namespace, name: hostName(first + at), uid },
    network: networks[network],
  }))
  return {
    apiVersion: apiVersionOf(apiGroups.berth),
    kind: 'AddressBlock',
    metadata: { name: `bare-${network}-${part}` },
    spec: { wire: `namespace/${namespace}`, first: addressOf(network, first), holders },
  }
}

/** The hosts are there, without addresses. */
export async function bareHosts(
  { client }: Town,
  count: number,
  atOnce: number,
): Promise<BareHosts> {
  const parts = Array.from({ length: Math.ceil(count / perBlock) }, (_, part) => part)
  const claims = networks.flatMap((_, network) => parts.map((part) => block(network, part, count)))
  const numbers = Array.from({ length: count }, (_, number) => number)
  const start = performance.now()
  await inParallel(atOnce, claims, (body) =>
    client.send({ method: 'POST', path: pathOf(blocks), body }),
  )
  await inParallel(atOnce, numbers, async (number) => {
    await client.send({ method: 'POST', path: pathOf(reservations), body: reservation(number) })
    const path = pathOf(ipSets, hostName(number), 'status')
    const contentType = 'application/merge-patch+json'
    await client.send({ method: 'PATCH', path, contentType, body: status(number) })
  })
  return { atOnce, count, ms: performance.now() - start }
}
