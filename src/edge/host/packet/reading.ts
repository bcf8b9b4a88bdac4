// How is a kernel socket read? Whenever it is readable, or on request, many datagrams in one call,
// recvmmsg(2): reading until empty would take two calls per datagram.
import { libc } from './libc.ts'

type ReadingOptions = {
  readonly datagramBytes: number
  /** Limits a batch, so that a flood does not starve the rest of this thread. */
  readonly atOnce: number
  /** The bytes are valid until it returns. */
  readonly onDatagram: (bytes: Uint8Array) => void
  /** Nothing is left, or the batch is full. */
  readonly onDrained?: () => void
  /** The socket failed and is closed. */
  readonly onEnd: (code: string) => void
}

export type Reading = {
  readonly isOpen: () => boolean
  /** Reads what has arrived; false if more is left. */
  readonly receive: () => boolean
  /** Stops waking this thread; datagrams wait in the kernel until `receive`. */
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}

/** After a stall there may be a backlog. */
const mostRounds = 16

export function read(fd: number, options: ReadingOptions): Reading {
  const c = libc()
  const { onDrained, onEnd } = options
  const room = newRoom(options)
  let isOpen = true
  let handle: { close(): void } | undefined
  const pause = (): void => {
    handle?.close()
    handle = undefined
  }
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    pause()
    c.close(fd)
  }
  /** The number of datagrams received, or the error. */
  const take = (): number | string => {
    const count = c.recvmmsg(fd, room.heads, room.parts.length, 0, null)
    if (count < 0) return c.errno()
    for (let at = 0; at < count && isOpen; at++) {
      const part = room.parts[at]
      if (part !== undefined) handOver(options, part.subarray(0, room.lengthOf(at)))
    }
    return count
  }
  /** Whether there may be more. */
  const readable = (isBroken: boolean): boolean => {
    if (!isOpen) return false
    const taken = take()
    if (!isOpen) return false
    const isFine = typeof taken === 'number' || taken === 'EAGAIN' || taken === 'EINTR'
    if (isFine && !isBroken) onDrained?.()
    else {
      close()
      onEnd(isFine ? 'EBADF' : taken)
    }
    return isOpen && taken === room.parts.length
  }
  const receive = (): boolean => {
    for (let round = 0; round < mostRounds; round++) if (!readable(false)) return true
    return false
  }
  /** On failure the owner reopens it, so the descriptor must be closed. */
  const watch = (): void => {
    try {
      handle ??= c.whenReadable(fd, readable)
    } catch (fault) {
      close()
      throw fault
    }
  }
  const resume = (): void => {
    try {
      if (isOpen) watch()
    } catch {
      onEnd('EBADF')
    }
  }
  watch()
  return { isOpen: () => isOpen, receive, pause, resume, close }
}

type Room = {
  readonly heads: Uint8Array
  readonly parts: readonly Uint8Array[]
  readonly lengthOf: (at: number) => number
}

// struct mmsghdr { void *name; u32 nameBytes; 4 of padding; struct iovec *parts; u64 partCount;
//   void *control; u64 controlBytes; i32 flags; 4 of padding; u32 length; 4 of padding }
// struct iovec { void *base; u64 length }
const [headBytes, partBytes] = [64, 16]
const at = { parts: 16, partCount: 24, length: 56 } as const

/** One block of memory that does not move, because the headers point into it. */
function newRoom({ datagramBytes, atOnce }: ReadingOptions): Room {
  const each = headBytes + partBytes
  const whole = Buffer.alloc(atOnce * (each + datagramBytes))
  const base = libc().addressOf(whole)
  const partsAt = atOnce * headBytes
  const parts = Array.from({ length: atOnce }, (_, index) => {
    const [head, part] = [index * headBytes, partsAt + index * partBytes]
    const data = atOnce * each + index * datagramBytes
    const pointTo = (offset: number, from: number) =>
      whole.writeBigUInt64LE(base + BigInt(offset), from)
    pointTo(part, head + at.parts)
    whole.writeUInt32LE(1, head + at.partCount)
    pointTo(data, part)
    whole.writeUInt32LE(datagramBytes, part + 8)
    return whole.subarray(data, data + datagramBytes)
  })
  const heads = whole.subarray(0, partsAt)
  const view = new DataView(whole.buffer, whole.byteOffset)
  return { heads, parts, lengthOf: (index) => view.getUint32(index * headBytes + at.length, true) }
}

/** An exception would silently end the polling. */
function handOver({ onDatagram }: ReadingOptions, bytes: Uint8Array): void {
  try {
    onDatagram(bytes)
  } catch {
    // Lose this datagram only.
  }
}
