// Is the wire free for a move (R6.11)? The VIPs and the gateway are asked for on the external link,
// and every address of the internal network on the internal one.
import { type Json, recordAt, textAt, textsAt } from '../../../core/model/json.ts'
import { contains } from '../../../core/net/intervals.ts'
import { familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { prefixAround, rangeOf } from '../../../core/net/range.ts'
import { ownAddresses } from '../../../edge/host/ownAddresses.ts'
import { PacketFault } from '../../../edge/host/packet/packetFault.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { askNeighbour } from '../probe/askNeighbour.ts'
import { internalQuestion } from './internalQuestion.ts'
import { sweep } from './sweep.ts'
import { type WireFinding, type WireSeen, wireFindings } from './wireFindings.ts'

/** IPv6 neighbours that are asked at once. */
const abreast = 16

const remedy = 'run this on a node, name its --interface, or leave the question out with --no-probe'

type WireQuestion = {
  readonly external: Json
  readonly internalNetwork: string
  /** Empty: the one whose subnet the VIPs are in. */
  readonly interface: string
}

/** Throws a WireFault where the wire cannot be asked from here. */
export async function probeWire(
  api: Api,
  question: WireQuestion,
  io: Io,
): Promise<readonly WireFinding[]> {
  const nodes = await nodesOf(api, io)
  try {
    return await askWire(question, nodes)
  } catch (error) {
    if (!(error instanceof Fault || error instanceof PacketFault)) throw error
    throw new WireFault(`${error.message}: ${remedy}`, { cause: error })
  }
}

export class WireFault extends Error {
  override readonly name = 'WireFault'
}

async function askWire(
  question: WireQuestion,
  nodes: WireSeen['nodes'],
): Promise<readonly WireFinding[]> {
  const pairs = [question.external, recordAt(question.external, 'secondary')]
  const vips = pairs.flatMap((pair) => ['apiVIP', 'ingressVIP'].flatMap((name) => ipAt(pair, name)))
  const gateways = pairs.flatMap((pair) => ipAt(pair, 'gateway'))
  const link = linkOf(question, vips)
  const inside = internalQuestion(question.internalNetwork, ownAddresses(), nodes)
  // Both at once: the new addresses are not reachable in between.
  const [external, internal] = await Promise.all([
    answersFor(link, [...vips, ...gateways]),
    inside.interface === '' ? new Map() : answersFor(inside.interface, inside.asked),
  ])
  const { unasked } = inside
  return wireFindings({ vips, gateways, external, internal, nodes, unasked })
}

const ipAt = (json: Json, name: string): Ip[] => {
  const ip = parseIp(textAt(json, name))
  return ip.ok ? [ip.value] : []
}

function linkOf({ interface: named, external }: WireQuestion, vips: readonly Ip[]): string {
  const stated = named || textAt(external, 'interface')
  const own = ownAddresses()
  if (stated !== '') return stated
  const near = own.find(({ address, prefixLength }) =>
    vips.some(
      (ip) =>
        familyOf(ip) === familyOf(address) &&
        contains(rangeOf(prefixAround(address, prefixLength)), ip),
    ),
  )
  if (near !== undefined) return near.interface
  throw new Fault(
    'this machine is not in the external network, so it cannot ask whether the addresses are free',
  )
}

async function answersFor(link: string, ips: readonly Ip[]): Promise<Map<Ip, ReadonlySet<Mac>>> {
  const found = new Map<Ip, ReadonlySet<Mac>>(await sweep(link, ips))
  const six = ips.filter((ip) => familyOf(ip) === 'IPv6').values()
  const ask = async (): Promise<void> => {
    for (const address of six) {
      const answers = await askNeighbour({ address, interface: link, source: '', count: 2 })
      if (answers.length > 0) found.set(address, new Set(answers.map(({ mac }) => mac)))
    }
  }
  await Promise.all(Array.from({ length: abreast }, ask))
  return found
}

async function nodesOf(api: Api, io: Io): Promise<WireSeen['nodes']> {
  const [nodes, reports] = await Promise.all([
    listAll(api, resourceOf('Node'), io.signal),
    listAll(api, resourceOf('NodeInterfaces'), io.signal),
  ])
  return [
    ...nodes.map((node) => {
      const { addresses } = recordAt(node, 'status')
      const entries = Array.isArray(addresses) ? addresses.filter(isRecord) : []
      return { macs: [], addresses: entries.flatMap((one) => ipAt(one, 'address')) }
    }),
    ...reports.map((report) => {
      const { interfaces } = recordAt(report, 'spec')
      const links = Array.isArray(interfaces) ? interfaces.filter(isRecord) : []
      const texts = links.flatMap((one) => textsAt(one, 'addresses'))
      return {
        macs: links.map((one) => textAt(one, 'mac')).filter((mac) => mac !== ''),
        addresses: texts.flatMap((text) => {
          const ip = parseIp(text.split('/')[0] ?? '')
          return ip.ok ? [ip.value] : []
        }),
      }
    }),
  ]
}
