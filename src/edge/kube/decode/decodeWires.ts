// Who else assigns addresses? Objects of other projects, so invalid parts are skipped.
import type { NetConfig, Reservation } from '../../../core/model/wires.ts'
import { reservedOf } from './decodeIpam.ts'
import { madeOf } from './decodeMaker.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import { nodePlanOf } from './decodeNodePlan.ts'
import type { Fields } from './fields.ts'

export function decodeNetConfig(object: Fields): NetConfig {
  const { name, namespace } = metaOf(object)
  const plan = nodePlanOf(object)
  const subnets = plan.networks.flatMap((network) => network.subnets)
  const occupied = subnets.flatMap(({ gateway, nextHops }) =>
    gateway === undefined ? nextHops : [gateway, ...nextHops],
  )
  return {
    kind: 'NetConfig',
    key: keyFrom(namespace, name),
    name,
    namespace,
    ...madeOf(object),
    ...plan,
    subnets,
    occupied,
  }
}

export function decodeReservation(object: Fields): Reservation {
  const { name, namespace } = metaOf(object)
  const reserved = reservedOf(object)
  return {
    kind: 'Reservation',
    key: keyFrom(namespace, name),
    name,
    namespace,
    ...reserved,
    occupied: reserved.entries.flatMap(({ address }) => address ?? []),
  }
}
