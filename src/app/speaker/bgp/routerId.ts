// Under which identifier does this node open a session? In MetalLB's order (M6.5): as configured,
// the IPv4 address of the connection, one of its interface, else from the node's name.
import { crc32 } from 'node:zlib'
import { familyOf, type Ip } from '../../../core/net/ip.ts'
import { ipFrom } from '../../../core/net/octets.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'
import { interfaceOf } from './nextHops.ts'

type Identified = {
  readonly configured: Ip | undefined
  readonly local: Ip
  readonly own: readonly OwnAddress[]
  readonly node: string
}

export function routerIdOf({ configured, local, own, node }: Identified): Ip {
  if (configured !== undefined && familyOf(configured) === 'IPv4') return configured
  if (familyOf(local) === 'IPv4') return local
  const name = interfaceOf(local, own)
  const here = own.find((one) => one.interface === name && familyOf(one.address) === 'IPv4')
  return here?.address ?? ipFrom(fromName(node))
}

/** Little-endian, as MetalLB has it. */
function fromName(node: string): Uint8Array {
  const octets = Buffer.alloc(4)
  octets.writeUInt32LE(crc32(node))
  return octets
}
