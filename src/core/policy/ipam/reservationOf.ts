// Which Reservation belongs to an IPSet? One of its name that goes with it; what it records stays,
// what is granted is added (R12.1).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { IpSet } from '../../model/ipam/ipSet.ts'
import type { Reservation } from '../../model/wires.ts'
import type { Granted } from './allocateNode.ts'

const labelOf = (network: string): string => `ipam.network.openstack.org/${network}`

/** Undefined where it is there and right. */
export function reservationOf(
  ipSet: IpSet,
  before: Reservation | undefined,
  granted: readonly Granted[],
): JsonObject | undefined {
  const added = granted.filter(
    ({ place, address }) => !isRecorded(before, place.network.name, address),
  )
  const isRight = before !== undefined && before.ownerUid === ipSet.uid && added.length === 0
  if (isRight) return undefined
  const replaced = added.filter(({ place }) => entryOn(before, place.network.name) !== undefined)
  return {
    apiVersion: apiVersionOf(apiGroups.openstack),
    kind: 'Reservation',
    metadata: {
      name: ipSet.name,
      namespace: ipSet.namespace,
      labels: { ...labelsOf(granted), ...labelsIn(before), ...labelsOf(replaced) },
      ownerReferences: [ownerOf(ipSet)],
    },
    spec: { ipSetRef: {}, reservation: { ...entriesOf(before), ...entriesFor(added, before) } },
  }
}

const entryOn = (before: Reservation | undefined, network: string) =>
  before?.entries.find((one) => one.network.toLowerCase() === network.toLowerCase())

const nameIn = (before: Reservation | undefined, network: string): string =>
  entryOn(before, network)?.network ?? network

function isRecorded(before: Reservation | undefined, network: string, address: string): boolean {
  const name = nameIn(before, network)
  return before?.entries.some((one) => one.network === name && one.address === address) === true
}

const entriesOf = (before: Reservation | undefined): JsonObject =>
  Object.fromEntries(
    (before?.entries ?? []).map(({ network, subnet, text }) => [
      network,
      { network, subnet, address: text },
    ]),
  )

const entriesFor = (added: readonly Granted[], before: Reservation | undefined): JsonObject =>
  Object.fromEntries(
    added.map(({ place: { network, subnet }, address }) => [
      nameIn(before, network.name),
      { network: network.name, subnet: subnet.name, address },
    ]),
  )

const labelsOf = (granted: readonly Granted[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    granted.map(({ place: { network, subnet } }) => [labelOf(network.name), subnet.name]),
  )

/** A label that is there keeps its value, unless the entry that it stands for is replaced. */
const labelsIn = (before: Reservation | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(before?.subnetLabels ?? {}).map(([network, subnet]) => [
      labelOf(network),
      subnet,
    ]),
  )

const ownerOf = ({ name, uid }: IpSet): JsonObject => ({
  apiVersion: apiVersionOf(apiGroups.openstack),
  kind: 'IPSet',
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})
