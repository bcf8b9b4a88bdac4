// What is the least a client has to do? It sends prepared requests on one connection, one after the
// other, and reads no more of the answers than necessary.
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import type { Server } from './servers.ts'

export type Answer = {
  readonly code: number
  readonly lengthBytes: number
  /** The start of the body: a whole object, or the head of a list. */
  readonly start: string
}

type Call = { readonly resolve: (answer: Answer) => void; readonly reject: (why: Error) => void }

const keptBytes = 4096
const endOfHead = '\r\n\r\n'
/** JSON contains no raw line breaks, so this cannot occur inside a body. */
const endOfChunks = Buffer.from('\r\n0\r\n\r\n')

export function requestBytes(server: Server, method: string, path: string, body?: object): Buffer {
  const json = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${server.url.host}`,
    `Authorization: Bearer ${server.token}`,
    'Accept: application/json',
    'User-Agent: bench/1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}${endOfHead}${json}`)
}

export async function openSocket({ url, ca }: Server): Promise<TLSSocket> {
  const socket = connect({ host: url.hostname, port: Number(url.port), ca })
  socket.setNoDelay(true)
  await once(socket, 'secureConnect')
  return socket
}

export class Line {
  readonly #socket: TLSSocket
  #call: Call | undefined
  #head = ''
  #code = 0
  /** Undefined for a chunked body. */
  #expected: number | undefined
  #length = 0
  #start = ''
  #last = Buffer.alloc(0)

  static async open(server: Server): Promise<Line> {
    return new Line(await openSocket(server))
  }

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    const fail = (why: Error) => this.#call?.reject(why)
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed the connection')))
  }

  ask(request: Buffer): Promise<Answer> {
    this.#head = ''
    this.#code = 0
    this.#length = 0
    this.#start = ''
    return new Promise((resolve, reject) => {
      this.#call = { resolve, reject }
      this.#socket.write(request)
    })
  }

  /** Guards against a good figure from refused requests. */
  async expect(code: number, request: Buffer): Promise<Answer> {
    const answer = await this.ask(request)
    if (answer.code === code) return answer
    throw new Error(`expected ${code}, got ${answer.code}: ${answer.start.slice(0, 400)}`)
  }

  close(): void {
    this.#call = undefined
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    const body = this.#code === 0 ? this.#takeHead(bytes) : bytes
    if (body === undefined) return
    this.#length += body.length
    if (this.#start.length < keptBytes) this.#start += body.toString('utf8')
    if (!this.#isWhole(body)) return
    const call = this.#call
    this.#call = undefined
    call?.resolve({ code: this.#code, lengthBytes: this.#length, start: this.#start })
  }

  #takeHead(bytes: Buffer): Buffer | undefined {
    this.#head += bytes.toString('latin1')
    const end = this.#head.indexOf(endOfHead)
    if (end < 0) return undefined
    const head = this.#head.slice(0, end)
    this.#code = Number(head.slice(9, 12))
    const length = /^content-length: (\d+)/im.exec(head)?.[1]
    this.#expected = length === undefined ? undefined : Number(length)
    this.#last = Buffer.alloc(0)
    return Buffer.from(this.#head.slice(end + endOfHead.length), 'latin1')
  }

  #isWhole(bytes: Buffer): boolean {
    if (this.#expected !== undefined) return this.#length >= this.#expected
    const known = bytes.length < endOfChunks.length ? Buffer.concat([this.#last, bytes]) : bytes
    this.#last = Buffer.from(known.subarray(-endOfChunks.length))
    return this.#last.equals(endOfChunks)
  }
}

export const revisionIn = ({ start }: Answer): string =>
  /"resourceVersion":"(\d+)"/.exec(start)?.[1] ?? ''
