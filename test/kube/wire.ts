// What if the network fails? A wire to the API server that a test can cut and mend.
import { connect, createServer, type Socket } from 'node:net'
import type { KubeAddress } from './harness.ts'

export type Wire = {
  /** The API server, as reached through here. */
  readonly address: KubeAddress
  /** Connections that were made so far. */
  readonly made: () => number
  /** Those that are open on our side. */
  readonly open: () => number
  /** Resets what is open, and what comes until it is mended. */
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => Promise<void>
}

export async function newWire(address: KubeAddress): Promise<Wire> {
  const server = new URL(address.server)
  const [near, far] = [new Set<Socket>(), new Set<Socket>()]
  let [isCut, made] = [false, 0]
  const keep = (socket: Socket, side: Set<Socket>): void => {
    side.add(socket)
    socket.on('close', () => side.delete(socket)).on('error', () => socket.destroy())
  }
  const here = createServer((client) => {
    keep(client, near)
    if (isCut) {
      client.resetAndDestroy()
      return
    }
    made++
    const onward = connect(Number(server.port), server.hostname)
    keep(onward, far)
    client.pipe(onward).pipe(client)
    client.on('close', () => onward.destroy())
    onward.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => here.listen(0, '127.0.0.1', resolve))
  const bound = here.address()
  if (typeof bound !== 'object' || bound === null) throw new Error('the wire has no port')
  const cutAll = (): void => {
    for (const socket of [...near, ...far]) socket.resetAndDestroy()
  }
  return {
    address: { ...address, server: `https://127.0.0.1:${bound.port}` },
    made: () => made,
    open: () => near.size,
    cut() {
      isCut = true
      cutAll()
    },
    mend() {
      isCut = false
    },
    close() {
      cutAll()
      return new Promise((resolve) => here.close(() => resolve()))
    },
  }
}
