// Which address is meant by the one asked for? Under Translate the offset is kept (R4.11).

import { no, type Refusal } from '../model/reason.ts'
import { type Network, poolNameOf, type Tenant } from '../model/tenant.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { contains } from '../net/intervals.ts'
import { fromBigInt, type Ip, toBigInt } from '../net/ip.ts'
import { rangeOf } from '../net/range.ts'
import type { AddressRequest } from './addressRequest.ts'

export type Translated = { readonly ok: true; readonly addresses: readonly Ip[] } | Refusal

export function translate(
  world: ReadonlyWorld,
  request: Pick<AddressRequest, 'asked' | 'tenant' | 'name'>,
): Translated {
  const { asked, tenant, name } = request
  if (tenant?.requestedAddresses !== 'Translate') return { ok: true, addresses: asked }
  const addresses: Ip[] = []
  for (const ip of asked) {
    const meant = meantBy(world, { tenant, name }, ip)
    if (typeof meant !== 'string') return meant
    addresses.push(meant)
  }
  return { ok: true, addresses }
}

type Asking = { readonly tenant: Tenant; readonly name: string }

function meantBy(world: ReadonlyWorld, { tenant, name }: Asking, ip: Ip): Ip | Refusal {
  const pool = world.poolOf(ip)
  if (pool !== undefined && pool.tenant === tenant.name) return ip
  const named = tenant.networks.filter(
    (network) => name === network.name || name === poolNameOf(tenant.name, network.name),
  )
  const inQuestion = name === '' ? tenant.networks : named
  const network = inQuestion.find((one) => sourceOf(one, ip) !== undefined)
  if (network !== undefined) return inNetwork(network, ip)
  const isKnown = tenant.networks.some((one) => sourceOf(one, ip) !== undefined)
  if (tenant.openPools && !isKnown && pool !== undefined && pool.tenant === '') return ip
  const where = name === '' ? `tenant ${tenant.name}` : `network ${name}`
  const remedy = `add a range with ${ip} to translateFrom of ${where}, or request another address`
  return no('translation-does-not-fit', `no translateFrom of ${where} contains ${ip}`, remedy)
}

/** The first that contains it. */
export const sourceOf = ({ translateFrom }: Network, ip: Ip) =>
  translateFrom.find((prefix) => contains(rangeOf(prefix), ip))

function inNetwork(network: Network, ip: Ip): Ip | Refusal {
  const source = sourceOf(network, ip)
  const target = network.cidrs.find((cidr) => cidr.family === source?.family)
  if (source === undefined || target === undefined) {
    const message = `network ${network.name} has no CIDR for ${ip}`
    const remedy = `add a CIDR of that family to ${network.name}, or request another address`
    return no('translation-does-not-fit', message, remedy)
  }
  const value = target.base + (toBigInt(ip) - source.base)
  const inside = network.loadBalancer.some(
    ({ family, first, last }) => family === target.family && first <= value && value <= last,
  )
  const fits = inside && value <= rangeOf(target).last
  if (fits) return fromBigInt(target.family, value)
  const text =
    value <= rangeOf(target).last ? fromBigInt(target.family, value) : 'an address outside'
  return no(
    'translation-does-not-fit',
    `${ip} becomes ${text}, which is not in the loadBalancer ranges of network ${network.name}`,
  )
}
