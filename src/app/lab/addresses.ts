// Which addresses does a lab use? The same ones in every lab: no lab sees another, nor the host.
import type { Both, Port, Wire } from './machine.ts'

/** IPv6 addresses repeat the digits of IPv4, so that the two are easy to match. */
export const subnets: Readonly<Record<Wire, Both>> = {
  mgmt: { 4: '10.20.0.0/16', 6: 'fd10:20::/64' },
  lan: { 4: '10.10.0.0/16', 6: 'fd10:10::/64' },
  edge: { 4: '10.40.0.0/16', 6: 'fd10:40::/64' },
}
/** For Services: on the lan, or on no wire at all, where routers know the way. */
export const poolRanges = {
  lan: ['10.10.100.1-10.10.100.254', 'fd10:10::100:1-fd10:10::100:fe'],
  routed: ['10.50.0.1-10.50.0.254', 'fd10:50::1-fd10:50::fe'],
} as const
export const apiPort = 7443

const interfaces: Readonly<Record<Wire, string>> = { mgmt: 'mgmt0', lan: 'eth0', edge: 'edge0' }
const macs: Readonly<Record<Wire, string>> = {
  mgmt: '02:00:00:20',
  lan: '02:00:00:10',
  edge: '02:00:00:40',
}

/** `host` distinguishes the machines on one wire. */
export function portOf(wire: Wire, machine: string, host: number): Port {
  const digits = String(host).padStart(4, '0')
  return {
    wire,
    name: interfaces[wire],
    mac: [macs[wire], digits.slice(0, 2), digits.slice(2)].join(':'),
    plug: `${machine}-${wire}`,
    addresses: {
      4: subnets[wire][4].replace(/0\/16$/, String(host)),
      6: subnets[wire][6].replace(/\/64$/, String(host)),
    },
  }
}

export const podOf = (host: number): Both => ({ 4: `10.30.${host}.2`, 6: `fd10:30:${host}::2` })
