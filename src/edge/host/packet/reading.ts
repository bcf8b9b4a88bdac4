// How is a socket of the kernel read? A few datagrams whenever it has some, until it fails or is
// closed.
import { libc } from './libc.ts'

export type ReadingOptions = {
  readonly datagramBytes: number
  /** So that others of this thread have their turn during a flood. */
  readonly atOnce: number
  /** The bytes are good until it returns. */
  readonly onDatagram: (bytes: Uint8Array) => void
  /** Nothing is left, or others have their turn. */
  readonly onDrained?: () => void
  /** It was closed by what went wrong. */
  readonly onEnd: (code: string) => void
}

export type Reading = {
  readonly isOpen: () => boolean
  readonly close: () => void
}

export function read(fd: number, options: ReadingOptions): Reading {
  const c = libc()
  const { datagramBytes, atOnce, onDrained, onEnd } = options
  const buffer = Buffer.alloc(datagramBytes)
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    handle.close()
    c.close(fd)
  }
  const receive = (): string => {
    for (let count = 0; count < atOnce && isOpen; count++) {
      const length = c.recv(fd, buffer, datagramBytes, 0)
      if (length < 0) return c.errno()
      handOver(options, buffer.subarray(0, length))
    }
    return 'EAGAIN'
  }
  const handle = c.whenReadable(fd, (isBroken) => {
    if (!isOpen) return
    const code = receive()
    if (!isOpen) return
    const isFine = code === 'EAGAIN' || code === 'EINTR'
    if (isFine && !isBroken) return onDrained?.()
    close()
    onEnd(isFine ? 'EBADF' : code)
  })
  return { isOpen: () => isOpen, close }
}

/** An exception would end the polling without a word. */
function handOver({ onDatagram }: ReadingOptions, bytes: Uint8Array): void {
  try {
    onDatagram(bytes)
  } catch {
    // What nobody can bear is one datagram lost.
  }
}
