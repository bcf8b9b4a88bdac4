// What does a client hear whose bytes are no HTTP? Why, if it can still be told, and the end.
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Enough to read the answer while it is still sending; then the connection would be reset. */
const lingerMs = 1_000

export function refuseBadClients(server: Pick<Server, 'on'>): void {
  const underWay = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    underWay.set(socket, response)
    response.on('close', () => underWay.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // In the middle of an answer another one would be taken for part of it.
    const isAnswering = underWay.get(socket)?.headersSent === true
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy()
      return
    }
    socket.end(answerTo(error.code ?? ''))
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
}

/** Not from `STATUS_CODES`: whoever imports a value of node:http loads fetch with it, 14 MB. */
const answers = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

function answerTo(cause: string): string {
  const status = answers.get(cause) ?? '400 Bad Request'
  const body = `${status.slice(4)}\n`
  const head = ['Connection: close', 'Content-Type: text/plain', `Content-Length: ${body.length}`]
  return `HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`
}
