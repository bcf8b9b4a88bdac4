// Under which address do the other speakers reach this one, and where does it listen?
import { networkInterfaces } from 'node:os'
import { familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { ListEntry } from './staticList.ts'

type Listening = { readonly endpoint: Endpoint; readonly bind: readonly Endpoint[] }

type ListenOptions = {
  readonly node: string
  /** As it was given; an address of this machine, or one that means all of them. */
  readonly bind: string | undefined
  readonly port: number
  /** Where speakers are listed, this one may be among them. */
  readonly list: readonly ListEntry[]
}

export function ownEndpoint({ node, bind, port, list }: ListenOptions): Listening {
  const listed = list.find((entry) => entry.node === node)
  const own = listed === undefined ? undefined : addressIn(listed.host)
  const given = bind === undefined ? undefined : addressIn(bind)
  if (bind !== undefined && given === undefined) {
    throw new Fault(`${JSON.stringify(bind)} is not an address to listen on`)
  }
  const at = listed?.port ?? port
  const isAny = given === undefined || ['0.0.0.0', '::'].includes(given)
  const address = own ?? (isAny ? firstAddress() : given)
  if (address === undefined) throw new Fault('this machine has no address for other speakers')
  const everywhere = addressIn(familyOf(address) === 'IPv4' ? '0.0.0.0' : '::') ?? address
  return {
    endpoint: { address, port: at },
    bind: [{ address: isAny ? everywhere : given, port: at }],
  }
}

/** IPv4 first, since most clusters have it. */
function firstAddress(): Ip | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const outer = all.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
  const [first] = outer.sort((one, other) => (one.family < other.family ? -1 : 1))
  return first === undefined ? undefined : addressIn(first.address)
}

function addressIn(text: string): Ip | undefined {
  const ip = parseIp(text)
  return ip.ok ? ip.value : undefined
}
