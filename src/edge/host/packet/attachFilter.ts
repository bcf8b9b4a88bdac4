// How does a socket get its packet filter? Before it is bound, so that nothing comes in unchecked.
import { libc } from './libc.ts'
import { packetFault } from './packetFault.ts'

const [socketLevel, attach] = [1, 26] as const

/** struct sock_fprog { u16 length; 6 bytes of padding; pointer }; the kernel copies the program. */
export function attachFilter(fd: number, program: Uint8Array): void {
  const c = libc()
  const given = Buffer.alloc(16)
  given.writeUInt16LE(program.length / 8, 0)
  given.writeBigUInt64LE(c.addressOf(program), 8)
  if (c.setsockopt(fd, socketLevel, attach, given, given.length) < 0) {
    throw packetFault('attach filter', c.errno())
  }
}
