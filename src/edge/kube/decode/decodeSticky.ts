// Which addresses are for pods that keep theirs (R12.15)? The annotation berth.dev/sticky of a
// NetConfig: `InternalApi=172.17.0.60-172.17.0.69`, several with commas between them.
import type { FieldError } from '../../../core/model/admission.ts'
import { unreadable } from '../../../core/model/fieldError.ts'
import type { NodeNetwork, NodeSubnet } from '../../../core/model/ipam/nodePlan.ts'
import { covers } from '../../../core/net/intervals.ts'
import { apart, withoutEach } from '../../../core/net/ordered.ts'
import { parseRange, type Range, rangeOf } from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'

/** A NetConfig has a handful; the rest of a longer list is refused, and not read. */
const mostRanges = 64
const path = `metadata.annotations[${berth.sticky}]`

type Named = { readonly network: string; readonly range: Range }

/** What is for pods is no longer for hosts. */
export function withSticky(
  networks: readonly NodeNetwork[],
  text: string,
  unread: FieldError[],
): readonly NodeNetwork[] {
  if (text.trim() === '') return networks
  const parts = text.split(',')
  if (parts.length > mostRanges) {
    unread.push({ path, message: `Too many: ${parts.length}: must have at most ${mostRanges}` })
  }
  const wrong = (why: string) => unread.push(unreadable(path, why))
  const named = parts.slice(0, mostRanges).flatMap((part) => namedIn(part, wrong))
  for (const one of named) {
    const network = networks.find(isCalled(one.network))
    if (network === undefined) wrong(`the NetConfig has no network ${one.network}`)
    else if (!network.subnets.some((subnet) => holds(subnet, one.range))) {
      wrong(`the range of ${one.network} is in no subnet of that network`)
    }
  }
  return networks.map((network) => {
    const own = named.filter((one) => isCalled(one.network)(network)).map(({ range }) => range)
    return own.length === 0
      ? network
      : { ...network, subnets: network.subnets.map((subnet) => stickyIn(subnet, own)) }
  })
}

function namedIn(part: string, wrong: (why: string) => void): readonly Named[] {
  const [network = '', written = ''] = part.split('=').map((side) => side.trim())
  const range = parseRange(written)
  if (network === '' || !range.ok) {
    const why = range.ok ? 'the network is missing' : range.why
    wrong(`${JSON.stringify(part.trim())} is not NETWORK=FIRST-LAST: ${why}`)
    return []
  }
  return [{ network, range: range.value }]
}

const isCalled =
  (name: string) =>
  (network: NodeNetwork): boolean =>
    network.name.toLowerCase() === name.toLowerCase()

const holds = ({ cidr }: NodeSubnet, range: Range): boolean =>
  cidr !== undefined && covers(rangeOf(cidr), range)

function stickyIn(subnet: NodeSubnet, ranges: readonly Range[]): NodeSubnet {
  const own = apart(ranges.filter((range) => holds(subnet, range)))
  if (own.length === 0) return subnet
  return { ...subnet, sticky: own, ranges: withoutEach(subnet.ranges, own) }
}
