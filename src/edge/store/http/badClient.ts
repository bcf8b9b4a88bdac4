// What happens to a client that does not send valid HTTP? It gets a 400 if possible, and is closed.
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Time for the client to read the answer before the connection is reset. */
const lingerMs = 1_000

export function refuseBadClients(server: Pick<Server, 'on'>): void {
  const underWay = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    underWay.set(socket, response)
    response.on('close', () => underWay.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // An answer is already being sent, and a second one would corrupt it.
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

/** Not from `STATUS_CODES`: importing a value of node:http loads fetch as well, 14 MB. */
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
