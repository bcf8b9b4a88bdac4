// berth probe: why can this client not reach an address? Names the hop at fault.
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import { PacketFault } from '../../../edge/host/packet/packetFault.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Exit, Io } from '../io.ts'
import { type Arguments, textOf, UsageError, type Verb } from '../verb.ts'
import { askNeighbour } from './askNeighbour.ts'
import { findingsOf, type Seen } from './finding.ts'
import { probeText } from './probeText.ts'
import { reachByPing, reachByTcp } from './reach.ts'
import { neighbourAt, type Route, routeTo } from './route.ts'

export const probeVerb: Verb = {
  name: 'probe',
  summary: 'find out why this client cannot reach an address',
  usage: ['probe ADDRESS [--interface NAME] [--port PORT] [--count COUNT]'],
  description: `
Asks the local network which machine has the address (ARP, neighbor discovery), compares the answer
with the neighbor table of this host, and connects. It then names the hop at fault: no machine
answers, two machines answer, this host has an outdated or wrong entry, or the node that answers
does not forward the traffic.

Run it on a client in the same network. Behind a router, only the connection can be tested. Needs
root or the capability NET_RAW.

Exit status: 0 no fault found; 2 a fault found; 1 the probe could not run.`,
  examples: ['sudo berth probe 192.0.2.10', 'sudo berth probe 2001:db8::10 --port 443'],
  takes: 1,
  options: {
    interface: {
      type: 'string',
      value: 'NAME',
      help: 'interface to ask on; the default is that of the route',
    },
    port: { type: 'string', value: 'PORT', help: 'TCP port to connect to (default 80)' },
    count: { type: 'string', value: 'COUNT', help: 'how many times to ask (default 3)' },
  },
  async run(args, io): Promise<Exit> {
    const address = addressOf(args)
    const options = { port: numberOf(args, 'port', ports), count: numberOf(args, 'count', counts) }
    try {
      return await probe(address, { ...options, interface: textOf(args, 'interface') }, io)
    } catch (error) {
      if (!(error instanceof Fault || error instanceof PacketFault)) throw error
      io.err(`berth: ${error.message}\n`)
      return 1
    }
  },
}

type ProbeOptions = { readonly interface: string; readonly port: number; readonly count: number }

async function probe(address: Ip, options: ProbeOptions, io: Io): Promise<Exit> {
  const route = routeTo(address, options.interface)
  const seen = await look(address, route, options)
  const isOnLink = route.gateway === undefined
  const findings = isOnLink ? findingsOf(seen) : []
  io.out(probeText({ address, route, seen, findings }))
  const isReached = seen.reached.some(({ ms }) => ms !== undefined)
  return findings.length > 0 || !isReached ? 2 : 0
}

/** Reads the kernel's entry first, because the probe itself may change it. */
async function look(address: Ip, route: Route, { count, port }: ProbeOptions): Promise<Seen> {
  const { interface: on, source, gateway } = route
  const neighbour = neighbourAt(gateway ?? address, on)
  const answers =
    gateway === undefined ? await askNeighbour({ address, interface: on, source, count }) : []
  const [tcp, ping] = await Promise.all([reachByTcp(address, port), reachByPing(address)])
  const reached = [tcp, ...(ping === undefined ? [] : [ping])]
  return { asked: count, answers, neighbour, reached }
}

function addressOf({ positionals }: Arguments): Ip {
  const [text] = positionals
  if (text === undefined) throw new UsageError('name an address')
  const ip = parseIp(text)
  if (ip.ok) return ip.value
  throw new UsageError(`${ip.why}: name the address of a Service, such as 10.10.100.1`)
}

const ports = { usual: 80, largest: 65_535 }
const counts = { usual: 3, largest: 100 }

function numberOf(args: Arguments, name: string, { usual, largest }: typeof ports): number {
  const text = textOf(args, name)
  const value = text === '' ? usual : Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= largest) return value
  throw new UsageError(`--${name} is a number from 1 to ${largest}`)
}
