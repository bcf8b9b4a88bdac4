// How do routers reach us? By a socket for each family, with a key for each peer that has one: the
// kernel drops what is not signed with it.
import { networkInterfaces } from 'node:os'
import type { Family, Ip } from '../../../core/net/ip.ts'
import { ipFrom } from '../../../core/net/octets.ts'
import { acceptFlags, libc, openSocket } from '../packet/libc.ts'
import { packetFault } from '../packet/packetFault.ts'
import { signatureOf } from './dialTcp.ts'
import { addressFamilies } from './socketAddress.ts'

export type TcpListener = {
  /** Undefined: none. '' or why not. */
  setKey(peer: Ip, key: Uint8Array | undefined): string
  close(): void
}

export type Arrival = {
  readonly fd: number
  readonly from: Ip
  /** Of an address of the link; '' otherwise. */
  readonly link: string
}

type ListenOptions = { readonly family: Family; readonly port: number }

const [stream, tcp, md5Signature] = [1, 6, 14] as const
const [solSocket, reuseAddress] = [1, 2] as const
const [ipv6, onlySix] = [41, 26] as const
const waiting = 128
/** A flood of connections does not keep the rest from running. */
const mostAtOnce = 64

/** Throws where the port cannot be had. */
export function listenTcp(
  { family, port }: ListenOptions,
  arrived: (one: Arrival) => void,
): TcpListener {
  const c = libc()
  const fd = openSocket(addressFamilies[family], stream, tcp)
  const must = (what: string, result: number): void => {
    if (result < 0) throw packetFault(what, c.errno())
  }
  try {
    const yes = Uint8Array.of(1, 0, 0, 0)
    must('listen', c.setsockopt(fd, solSocket, reuseAddress, yes, 4))
    if (family === 'IPv6') must('listen', c.setsockopt(fd, ipv6, onlySix, yes, 4))
    const all = anyAddress(family, port)
    must(`port ${port}`, c.bind(fd, all, all.length))
    must(`port ${port}`, c.listen(fd, waiting))
  } catch (error) {
    c.close(fd)
    throw error
  }
  const acceptUpTo = (most: number): void => {
    for (let count = 0; count < most; count++) {
      const one = acceptOn(fd)
      if (one === undefined) return
      arrived(one)
    }
  }
  const polling = c.whenReadable(fd, () => acceptUpTo(mostAtOnce))
  return {
    setKey(peer, key) {
      const signature = signatureOf(peer, key ?? new Uint8Array())
      const result = c.setsockopt(fd, tcp, md5Signature, signature, signature.length)
      const why = result < 0 ? c.errno() : ''
      // What was connected before had not to be signed: it arrives before the peer has its key.
      if (key !== undefined && why === '') acceptUpTo(waiting + 1)
      // There was none to take away.
      return key === undefined && why === 'ENOENT' ? '' : why
    },
    close() {
      polling.close()
      c.close(fd)
    },
  }
}

/** One that nobody is expected on. */
export const dropTcp = (fd: number): void => void libc().close(fd)

function anyAddress(family: Family, port: number): Uint8Array {
  const bytes = Buffer.alloc(family === 'IPv4' ? 16 : 28)
  bytes.writeUInt16LE(addressFamilies[family], 0)
  bytes.writeUInt16BE(port, 2)
  return bytes
}

function acceptOn(listening: number): Arrival | undefined {
  const c = libc()
  const [address, length] = [Buffer.alloc(28), Buffer.alloc(4)]
  length.writeUInt32LE(address.length)
  const fd = c.accept4(listening, address, length, acceptFlags)
  if (fd < 0) return undefined
  const isSix = address.readUInt16LE(0) === addressFamilies.IPv6
  const from = ipFrom(isSix ? address.subarray(8, 24) : address.subarray(4, 8))
  const scope = isSix ? address.readUInt32LE(24) : 0
  return { fd, from, link: scope === 0 ? '' : linkOf(scope) }
}

function linkOf(scope: number): string {
  const found = Object.entries(networkInterfaces()).find(([, infos]) =>
    infos?.some((info) => info.family === 'IPv6' && info.scopeid === scope),
  )
  return found?.[0] ?? ''
}
