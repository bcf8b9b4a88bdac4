// Which port can a DNS server have? The one that it had, or the next that is free for both
// protocols.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Fault } from '../../../edge/kube/api/fault.ts'

type Wanted = {
  readonly address: string
  readonly first: number
  /** Tried before all others. */
  readonly before: number | undefined
  /** Of ours, whether they answer already or not. */
  readonly taken: ReadonlySet<number>
}

const mostTried = 200

export async function freePort({ address, first, before, taken }: Wanted): Promise<number> {
  const next = Array.from({ length: mostTried }, (_, index) => first + index)
  // Users can edit the Deployment that names its port, so only a port of ours is accepted.
  const again = next.filter((port) => port === before)
  for (const port of [...again, ...next]) {
    if (!taken.has(port) && (await isFree(address, port))) return port
  }
  throw new Fault(`no port from ${first} to ${first + mostTried - 1} is free on ${address}`)
}

async function isFree(address: string, port: number): Promise<boolean> {
  const server = createServer()
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  try {
    server.listen(port, address)
    await once(server, 'listening')
    socket.bind(port, address)
    await once(socket, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
    socket.close()
  }
}
