// Which addresses of the internal network are asked for (R6.11), and what is left out and why?
import { counted } from '../../../core/net/counted.ts'
import { contains } from '../../../core/net/intervals.ts'
import { fromBigInt, type Ip } from '../../../core/net/ip.ts'
import { parsePrefix, prefixText, rangeOf } from '../../../core/net/range.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'
import type { WireSeen } from './wireFindings.ts'

/** A /20. More would take minutes, and nobody builds a cluster in it. */
const mostAsked = 4_096

type InternalQuestion = {
  /** Empty: nothing can be asked from here. */
  readonly interface: string
  readonly asked: readonly Ip[]
  readonly unasked: WireSeen['unasked']
}

export function internalQuestion(
  network: string,
  own: readonly OwnAddress[],
  nodes: WireSeen['nodes'],
): InternalQuestion {
  const nothing = { interface: '', asked: [], unasked: undefined }
  const prefix = parsePrefix(network)
  // A Site that says something else is refused.
  if (!prefix.ok) return nothing
  const range = rangeOf(prefix.value)
  const [text, family] = [prefixText(prefix.value), prefix.value.family]
  const link = own.find(({ address }) => contains(range, address))
  if (link === undefined) {
    const unasked = {
      text: `nothing was asked in the internal network ${text}: this machine is not in it`,
      remedy: 'run this on a node to see whether another machine has the address of one',
    }
    return { ...nothing, unasked }
  }
  const ours = new Set(own.map(({ address }) => address))
  const size = range.last - range.first + 1n
  if (family === 'IPv4' && size <= mostAsked) {
    const all = Array.from({ length: Number(size) }, (_, at) =>
      fromBigInt(family, range.first + BigInt(at)),
    )
    return { ...nothing, interface: link.interface, asked: all.filter((ip) => !ours.has(ip)) }
  }
  const ofNodes = new Set(nodes.flatMap(({ addresses }) => addresses))
  const asked = [...ofNodes]
    .filter((ip) => contains(range, ip) && !ours.has(ip))
    .sort()
    .slice(0, mostAsked)
  const count = counted(asked.length, 'address', 'addresses')
  const unasked = {
    text: `in the internal network ${text} only ${count} of other nodes were asked for`,
    remedy: 'it is too large to look for strangers in all of it; keep it apart from others',
  }
  return { interface: link.interface, asked, unasked }
}
