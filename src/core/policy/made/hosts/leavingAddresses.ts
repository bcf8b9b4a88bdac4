// Which addresses that a node's policy gave are no longer in it, and may still be shown (R4.27)?
// A report lags behind nmstate: what it still shows would count as another's, and stay for ever.
import type { JsonObject } from '../../../model/gate.ts'
import { isRecord, recordAt, textAt } from '../../../model/json.ts'
import type { InterfaceAddress } from '../../../model/node.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { keptOn, shownOn } from './hostCarries.ts'
import { isDone, type Own, ownPolicyOf } from './ownPolicies.ts'

/** `interfaces`: those of the policy as it is written now. */
export function leavingAddresses(
  world: ReadonlyWorld,
  node: string,
  interfaces: readonly JsonObject[],
): readonly InterfaceAddress[] {
  const current = ownPolicyOf(world, node)
  if (current === undefined) return []
  const dropped = current.interfaces.flatMap(({ name, addresses }) => {
    // What was there before us is not ours because the policy repeats it.
    const kept = keptOn(world, node, name).map(({ address }) => address)
    return addresses
      .filter(({ address }) => !kept.includes(address))
      .map((one) => ({ interface: name, ...one }))
  })
  const placed = new Set(interfaces.flatMap(placesIn))
  return [...stillLeaving(world, node, current), ...dropped].filter(
    (one) => !placed.has(placeOf(one.interface, one.address)),
  )
}

/** Until nmstate is through and a report without it has come. */
function stillLeaving(world: ReadonlyWorld, node: string, current: Own) {
  const { leaving } = current.own
  if (leaving.length === 0 || !isDone(world, node, current)) return leaving
  const shown = new Set(
    shownOn(world, node)
      .filter(({ isTemporary }) => isTemporary !== true)
      .map((one) => placeOf(one.interface, one.address)),
  )
  return leaving.filter((one) => shown.has(placeOf(one.interface, one.address)))
}

const placesIn = (state: JsonObject): readonly string[] =>
  ['ipv4', 'ipv6'].flatMap((field) => {
    const { address } = recordAt(state, field)
    const all = Array.isArray(address) ? address.filter(isRecord) : []
    return all.map((one) => placeOf(textAt(state, 'name'), textAt(one, 'ip')))
  })

const placeOf = (link: string, address: string): string => `${link}=${address}`
