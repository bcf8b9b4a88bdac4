// Which cluster IPs and node ports are in use? Those of stored Services, and during a batch also
// those reserved by its writes, until each write ends.
import type { JsonObject } from '../../../../core/model/gate.ts'
import type { Ip } from '../../../../core/net/ip.ts'
import type { Change } from '../../storage/stored.ts'
import { decoded } from '../stored.ts'
import { needsHealthCheck } from './needs.ts'
import { ipOf, type Network, Numbers, networkOf, type ServiceRanges } from './ranges.ts'
import { type Spec, specOf } from './spec.ts'

type Held = { readonly ips: readonly Ip[]; readonly ports: readonly number[] }

/** What one request has reserved for its Service. */
export type Promised = { readonly ips: Ip[]; readonly ports: number[] }

export class Holdings {
  readonly networks: readonly Network[]
  readonly ports: string
  readonly #numbers: Numbers
  readonly #byService = new Map<string, Held>()
  readonly #ips = new Map<Ip, string>()
  readonly #ports = new Map<number, string>()
  readonly #promisedIps = new Set<Ip>()
  readonly #promisedPorts = new Set<number>()

  constructor({ clusterIps, firstPort, lastPort }: ServiceRanges, random: () => number) {
    this.networks = clusterIps.map((text) => networkOf(text, random()))
    this.ports = `${firstPort}-${lastPort}`
    this.#numbers = new Numbers(BigInt(firstPort), BigInt(lastPort), random())
  }

  /** Takes changes of Services, in order. */
  apply({ type, stored }: Change): void {
    const key = `${stored.namespace}/${stored.name}`
    this.#forget(key)
    if (type !== 'DELETED') this.hold(key, decoded(stored))
  }

  /** Of a Service that held nothing before. */
  hold(key: string, service: JsonObject): void {
    const held = heldBy(service)
    this.#byService.set(key, held)
    for (const ip of held.ips) this.#ips.set(ip, key)
    for (const port of held.ports) this.#ports.set(port, key)
  }

  #forget(key: string): void {
    const { ips, ports } = this.#byService.get(key) ?? { ips: [], ports: [] }
    for (const ip of ips) if (this.#ips.get(ip) === key) this.#ips.delete(ip)
    for (const port of ports) if (this.#ports.get(port) === key) this.#ports.delete(port)
    this.#byService.delete(key)
  }

  promiseIp(promised: Promised, ip: Ip): void {
    promised.ips.push(ip)
    this.#promisedIps.add(ip)
  }

  promisePort(promised: Promised, port: number): void {
    promised.ports.push(port)
    this.#promisedPorts.add(port)
  }

  /** Call when the write was stored or refused. */
  settle({ ips, ports }: Promised): void {
    for (const ip of ips) this.#promisedIps.delete(ip)
    for (const port of ports) this.#promisedPorts.delete(port)
  }

  isIpTaken(ip: Ip): boolean {
    return this.#ips.has(ip) || this.#promisedIps.has(ip)
  }

  isPortTaken(port: number): boolean {
    return this.#ports.has(port) || this.#promisedPorts.has(port)
  }

  isPortInRange(port: number): boolean {
    return this.#numbers.has(BigInt(port))
  }

  /**
   * The last tenth of the range is for namespaces that have less than a tenth of it, so that none
   * can take all ports.
   */
  isLeftToOthers(namespace: string): boolean {
    const taken = this.#ports.size + this.#promisedPorts.size
    const share = this.#numbers.size / 10
    if (this.#numbers.size - taken > share) return false
    const holders = [...this.#ports.values()]
    return holders.filter((key) => key.startsWith(`${namespace}/`)).length > share
  }

  freePort(): number | undefined {
    const found = this.#numbers.free((port) => this.isPortTaken(Number(port)))
    return found === undefined ? undefined : Number(found)
  }
}

function heldBy(service: JsonObject): Held {
  const spec = specOf(service)
  const ips = spec.clusterIPs.flatMap((text) => ipOf(text) ?? [])
  return { ips, ports: portsOf(spec) }
}

function portsOf(spec: Spec): readonly number[] {
  const ports = spec.ports.map(({ nodePort }) => nodePort).filter((port) => port !== 0)
  const health = needsHealthCheck(spec) ? spec.healthCheckNodePort : 0
  return health === 0 ? ports : [...ports, health]
}
