// Who answers for these addresses? Asked from here, for those that are on a link of this host.
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import { PacketFault } from '../../../../edge/host/packet/packetFault.ts'
import { Fault } from '../../../../edge/kube/api/fault.ts'
import { askNeighbour } from '../../probe/askNeighbour.ts'
import { type Route, routeTo } from '../../probe/route.ts'

type OnWire = {
  /** By address, only those that could be asked. */
  readonly answers: ReadonlyMap<Ip, ReadonlySet<Mac>>
  /** Why the others were not. */
  readonly why: string
}

/** As many sockets as are open at a time. */
const atOnce = 16
const isFar = 'on no link of this host'

export async function answersOnWire(addresses: readonly Ip[]): Promise<OnWire> {
  const answers = new Map<Ip, ReadonlySet<Mac>>()
  let why = ''
  try {
    const routes = addresses.map((address) => ({ address, route: onLink(address) }))
    const near = routes.filter((one): one is Near => one.route !== undefined)
    if (near.length < routes.length) why = isFar
    for (let at = 0; at < near.length; at += atOnce) {
      const some = near.slice(at, at + atOnce)
      const heard = await Promise.all(some.map(askedFor))
      for (const [address, macs] of heard) answers.set(address, macs)
    }
  } catch (error) {
    // It is one of the checks: without it the walk goes on by what the speakers report.
    if (!(error instanceof Fault || error instanceof PacketFault)) throw error
    why = error.message
  }
  return { answers, why }
}

type Near = { readonly address: Ip; readonly route: Route }

async function askedFor({ address, route }: Near): Promise<readonly [Ip, ReadonlySet<Mac>]> {
  const { interface: on, source } = route
  const answers = await askNeighbour({ address, interface: on, source, count: 2 })
  return [address, new Set(answers.map(({ mac }) => mac))]
}

function onLink(address: Ip): Route | undefined {
  const route = routeTo(address, '')
  return route.gateway === undefined && route.interface !== 'lo' ? route : undefined
}
