// Who answers for these addresses? Asked from here, for those that are on a link of this host.
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import { Fault } from '../../../../edge/kube/api/fault.ts'
import { askNeighbour } from '../../probe/askNeighbour.ts'
import { type Route, routeTo } from '../../probe/route.ts'

/** As many sockets as are open at a time. */
const atOnce = 16

/** By address, only those that could be asked. */
export async function answersOnWire(
  addresses: readonly Ip[],
): Promise<ReadonlyMap<Ip, ReadonlySet<Mac>>> {
  const near = addresses.flatMap((address) => {
    const route = onLink(address)
    return route === undefined ? [] : [{ address, route }]
  })
  const found = new Map<Ip, ReadonlySet<Mac>>()
  for (let at = 0; at < near.length; at += atOnce) {
    const some = near.slice(at, at + atOnce)
    await Promise.all(
      some.map(async ({ address, route }) => {
        const { interface: on, source } = route
        const answers = await askNeighbour({ address, interface: on, source, count: 2 })
        found.set(address, new Set(answers.map(({ mac }) => mac)))
      }),
    )
  }
  return found
}

function onLink(address: Ip): Route | undefined {
  try {
    const route = routeTo(address, '')
    return route.gateway === undefined && route.interface !== 'lo' ? route : undefined
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return undefined
  }
}
