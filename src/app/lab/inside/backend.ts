// What answers on a node? HTTP with the node's name, UDP with the data sent and the node's name.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { isIPv6 } from 'node:net'

type Backend = {
  readonly node: string
  readonly addresses: readonly string[]
  readonly ports: { readonly http: number; readonly echo: number }
}

/** Bound to each address: a wildcard socket would answer from the wrong one. */
export async function startBackend({ node, addresses, ports }: Backend): Promise<() => void> {
  const closers = await Promise.all(
    addresses.flatMap((address) => [
      startHttp(node, address, ports.http),
      startEcho(node, address, ports.echo),
    ]),
  )
  return () => {
    for (const close of closers) close()
  }
}

function startHttp(node: string, host: string, port: number): Promise<() => void> {
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('Content-Type', 'text/plain')
    response.end(`${node}\n`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 4096 }, () => resolve(() => server.close()))
  })
}

function startEcho(node: string, address: string, port: number): Promise<() => void> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const name = Buffer.from(` ${node}`)
  socket.on('message', (bytes, from) => {
    // An answer that cannot be sent is lost.
    socket.send([bytes, name], from.port, from.address, () => undefined)
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, address, () => {
      socket.removeListener('error', reject)
      socket.on('error', () => undefined)
      resolve(() => socket.close())
    })
  })
}
