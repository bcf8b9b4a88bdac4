// How are system calls reached that Node does not offer? Through koffi, which only this file loads.
// Its polling interface is undocumented and may change, so the version is pinned.
import { createRequire } from 'node:module'
import type koffi from 'koffi'
import { PacketFault, packetFault } from './packetFault.ts'

type Koffi = typeof koffi
type Bytes = Uint8Array

/** Each call returns -1 on failure; `errno` then gives the reason. */
type Calls = {
  readonly socket: (family: number, type: number, protocol: number) => number
  readonly bind: (fd: number, address: Bytes, length: number) => number
  readonly listen: (fd: number, waiting: number) => number
  /** The length of the address is told in four bytes, and replaced. */
  readonly accept4: (fd: number, address: Bytes, length: Bytes, flags: number) => number
  readonly connect: (fd: number, address: Bytes, length: number) => number
  /** The length is told in four bytes, and replaced. */
  readonly getsockopt: (
    fd: number,
    level: number,
    name: number,
    value: Bytes,
    length: Bytes,
  ) => number
  readonly setsockopt: (
    fd: number,
    level: number,
    name: number,
    value: Bytes,
    length: number,
  ) => number
  /** Returns the number of datagrams; the headers hold their lengths. */
  readonly recvmmsg: (
    fd: number,
    heads: Bytes,
    count: number,
    flags: number,
    timeout: null,
  ) => number
  readonly send: (fd: number, buffer: Bytes, length: number, flags: number) => number
  readonly close: (fd: number) => number
}

type Libc = Calls & {
  /** The error of the last call on this thread, such as `EAGAIN`. */
  errno(): string
  /** Of an error that the kernel gave as a number. */
  nameOf(code: number): string
  /** The address of the bytes, which must outlive its use. */
  addressOf(bytes: Bytes): bigint
  /** Calls back whenever something can be read, until closed. */
  whenReadable(fd: number, call: (isBroken: boolean) => void): { close(): void }
  /** The same once something can be written, as when a connection is made or refused. */
  whenWritable(fd: number, call: (isBroken: boolean) => void): { close(): void }
}

let loaded: Libc | undefined
/** A handle that is garbage-collected stops polling without an error. */
const kept = new Set<object>()

/** Loaded on first use, because it costs memory. */
export function libc(): Libc {
  loaded ??= load()
  return loaded
}

function load(): Libc {
  try {
    const library: Koffi = createRequire(import.meta.url)('koffi')
    return { ...callsOf(library), ...besideCalls(library) }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new PacketFault(
      `raw sockets need the koffi package, which could not be loaded: ${text}`,
      '',
      { cause: error },
    )
  }
}

function callsOf(library: Koffi): Calls {
  // The process itself, whichever C library it is linked with.
  const c = library.load(null)
  return {
    socket: c.func('int socket(int, int, int)'),
    bind: c.func('int bind(int, void *, uint32_t)'),
    listen: c.func('int listen(int, int)'),
    accept4: c.func('int accept4(int, void *, void *, int)'),
    connect: c.func('int connect(int, void *, uint32_t)'),
    getsockopt: c.func('int getsockopt(int, int, int, void *, void *)'),
    setsockopt: c.func('int setsockopt(int, int, int, void *, uint32_t)'),
    recvmmsg: c.func('int recvmmsg(int, void *, uint32_t, int, void *)'),
    send: c.func('int64_t send(int, void *, size_t, int)'),
    close: c.func('int close(int)'),
  }
}

function besideCalls(library: Koffi): Omit<Libc, keyof Calls> {
  // If two names share a number, the first one wins: EAGAIN before EWOULDBLOCK.
  const sorted = Object.entries(library.os.errno).sort(([a], [b]) => (a < b ? 1 : -1))
  const names = new Map(sorted.map(([name, code]) => [code, name]))
  const nameOf = (code: number): string => names.get(code) ?? `error ${code}`
  return {
    nameOf,
    errno: () => nameOf(library.errno()),
    addressOf: (bytes) => BigInt(library.address(bytes)),
    whenReadable: (fd, call) => polled(library, { fd, when: { readable: true }, call }),
    whenWritable: (fd, call) => polled(library, { fd, when: { writable: true }, call }),
  }
}

type Polling = {
  readonly fd: number
  readonly when: { readonly readable: true } | { readonly writable: true }
  readonly call: (isBroken: boolean) => void
}

function polled(library: Koffi, { fd, when, call }: Polling): { close(): void } {
  // Contrary to the types, the first argument is the status, negative once polling has ended.
  const onEvent = (...said: readonly unknown[]): void => {
    const [status] = said
    try {
      call(typeof status === 'number' && status < 0)
    } catch (error) {
      // Thrown here, the error would be swallowed and polling would stop.
      queueMicrotask(() => {
        throw error
      })
    }
  }
  const handle = library.node.poll(fd, when, onEvent)
  kept.add(handle)
  return {
    close() {
      kept.delete(handle)
      handle.close()
    },
  }
}

const [nonBlocking, closeOnExec] = [0o4000, 0o2000000] as const
/** For sockets that are accepted. */
export const acceptFlags = nonBlocking | closeOnExec

/** Non-blocking, and closed on exec. */
export function openSocket(family: number, type: number, protocol: number): number {
  const c = libc()
  const fd = c.socket(family, type | nonBlocking | closeOnExec, protocol)
  if (fd < 0) throw packetFault('socket', c.errno())
  return fd
}
