// How is a request written? Head and body as one text, so that they are sent in one piece.
import type { ApiRequest } from '../client.ts'
import type { Connection } from '../connection.ts'
import type { Credential } from '../credentials.ts'
import { Fault } from '../fault.ts'

type Requested = {
  readonly connection: Connection
  readonly request: ApiRequest
  readonly headers: string
}

/** The headers that all requests share; streams add that theirs is the last on the connection. */
export function commonHeaders(
  { server, headers }: Connection,
  own: Readonly<Record<string, string>>,
): string {
  const all = { Host: server.host, ...own, ...headers }
  return Object.entries(all)
    .flatMap(([name, values]) => [values].flat().map((value) => header(name, value)))
    .join('')
}

export function requestText(
  { connection, request, headers }: Requested,
  { authorization }: Credential,
): string {
  const { method, body, accept = 'application/json', contentType = 'application/json' } = request
  const beginning = `${method} ${target(connection, request)} HTTP/1.1\r\n${headers}`
  const known = authorization === undefined ? '' : header('Authorization', authorization)
  const head = `${beginning}${header('Accept', accept)}${known}`
  if (body === undefined) return `${head}${method === 'GET' ? '' : 'Content-Length: 0\r\n'}\r\n`
  const json = JSON.stringify(body)
  const length = `Content-Length: ${Buffer.byteLength(json)}\r\n`
  return `${head}${header('Content-Type', contentType)}${length}\r\n${json}`
}

function target({ server }: Connection, { path, query }: ApiRequest): string {
  const below = server.pathname === '/' ? '' : server.pathname.replace(/\/$/, '')
  const asked = query === undefined ? '' : new URLSearchParams(query).toString()
  const text = `${below}${path}${asked === '' ? '' : `?${asked}`}`
  if (/[^!-~]/.test(text)) throw new Fault(`invalid request path ${JSON.stringify(text)}`)
  return text
}

/** A value with a line break would be more than one header. */
function header(name: string, value: string): string {
  if (/[^\t -~\x80-\uffff]/.test(value)) throw new Fault(`header ${name} cannot be sent`)
  return `${name}: ${value}\r\n`
}
