// Who answers for these addresses? Asked from here, for those that are on a link of this host.
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import { PacketFault } from '../../../../edge/host/packet/packetFault.ts'
import { Fault } from '../../../../edge/kube/api/fault.ts'
import { askNeighbour } from '../../probe/askNeighbour.ts'
import { routeTo } from '../../probe/route.ts'

type OnWire = {
  /** By address, only those that could be asked. */
  readonly answers: ReadonlyMap<Ip, ReadonlySet<Mac>>
  /** Why the others were not: what was said of the first of them. */
  readonly why: string
}

/** As many sockets as are open at a time. */
const atOnce = 16
const isFar = 'on no link of this host'

export async function answersOnWire(addresses: readonly Ip[]): Promise<OnWire> {
  const answers = new Map<Ip, ReadonlySet<Mac>>()
  const whys: string[] = []
  for (let at = 0; at < addresses.length; at += atOnce) {
    const some = addresses.slice(at, at + atOnce)
    const heard = await Promise.all(
      some.map(async (address) => [address, await asked(address)] as const),
    )
    for (const [address, answer] of heard) {
      if (typeof answer === 'string') whys.push(answer)
      else answers.set(address, answer)
    }
  }
  return { answers, why: whys[0] ?? '' }
}

/** Or why not. It is one of the checks: without it the walk goes on by what the speakers report. */
async function asked(address: Ip): Promise<ReadonlySet<Mac> | string> {
  try {
    const { interface: on, source, gateway } = routeTo(address, '')
    if (gateway !== undefined || on === 'lo') return isFar
    const answers = await askNeighbour({ address, interface: on, source, count: 2 })
    return new Set(answers.map(({ mac }) => mac))
  } catch (error) {
    if (!(error instanceof Fault || error instanceof PacketFault)) throw error
    return error.message
  }
}
