// What does a client hear whose bytes are no HTTP? Why, if it can still be told, and the end.
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Enough to read the answer while it is still sending; then the connection would be reset. */
const lingerMs = 1_000

export function refuseBadClients(server: Pick<Server, 'on'>): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    answers.set(socket, response)
    response.on('close', () => answers.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // In the middle of an answer another one would be taken for part of it.
    const isAnswering = answers.get(socket)?.headersSent === true
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy()
      return
    }
    socket.end(answerTo(error.code ?? ''))
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
}

const codes = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

function answerTo(cause: string): string {
  const code = codes.get(cause) ?? 400
  const text = STATUS_CODES[code] ?? ''
  const body = `${text}\n`
  const head = ['Connection: close', 'Content-Type: text/plain', `Content-Length: ${body.length}`]
  return `HTTP/1.1 ${code} ${text}\r\n${head.join('\r\n')}\r\n\r\n${body}`
}
