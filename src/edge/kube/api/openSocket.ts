// How is a connection to the API server opened? TCP or a proxy, then TLS, within a time limit.
import { request as requestHttps } from 'node:https'
import { isIP, type Socket, connect as tcpConnect } from 'node:net'
import type { SecureContext } from 'node:tls'
import { basicHeader } from './authorization.ts'
import {
  checkServerIdentity,
  createSecureContext,
  request as requestHttp,
  connect as tlsConnect,
} from './builtins.ts'
import type { Connection } from './connection.ts'
import { Fault, faultFrom } from './fault.ts'
import { hostOf, portOf } from './proxy.ts'
import { textIn } from './source.ts'

const timeoutMs = 10_000
/** A peer that vanished is noticed ten seconds after this time. */
const probeAfterMs = 30_000

export async function openSocket(connection: Connection): Promise<Socket> {
  const { server, proxy } = connection
  try {
    // Before there is a socket: until TLS handles errors, a failure of it would end the process.
    const context = server.protocol === 'https:' ? await contextOf(connection) : undefined
    const socket = proxy ? await tunnel(proxy, server) : await connected(server)
    socket.setKeepAlive(true, probeAfterMs).setNoDelay(true)
    return context ? await secured(connection, context, socket) : socket
  } catch (error) {
    throw faultFrom(error, `cannot reach ${server.origin}`)
  }
}

type Known = { readonly madeOf: string; readonly context: SecureContext }
const contexts = new WeakMap<Connection, Known>()

/**
 * Read for every connection, so that replaced files take effect without a restart. Created only if
 * the contents changed, because each context keeps its own certificates in memory.
 */
async function contextOf(connection: Connection): Promise<SecureContext> {
  const { trust, credentials } = connection
  const { certificate } = await credentials.current()
  const parts = { ...(trust.ca ? { ca: await textIn(trust.ca) } : {}), ...certificate }
  const madeOf = JSON.stringify(parts)
  const known = contexts.get(connection)
  if (known?.madeOf === madeOf) return known.context
  const context = createSecureContext(parts)
  contexts.set(connection, { madeOf, context })
  return context
}

function connected(server: URL): Promise<Socket> {
  const socket = tcpConnect({ host: hostOf(server), port: portOf(server) })
  return established(socket, 'connect')
}

function secured(
  { server, trust }: Connection,
  secureContext: SecureContext,
  socket: Socket,
): Promise<Socket> {
  const name = trust.serverName ?? hostOf(server)
  const secure = tlsConnect({
    secureContext,
    socket,
    // An IP address cannot be used for SNI; the certificate is still checked against it.
    servername: isIP(name) === 0 ? name : '',
    checkServerIdentity: (_, peer) => checkServerIdentity(name, peer),
    rejectUnauthorized: trust.isChecked,
  })
  return established(secure, 'secureConnect')
}

function established<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(late()), timeoutMs)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const close = (): void => fail(new Fault('the connection was closed'))
    socket.once('error', fail).once('close', close)
    socket.once(event, () => {
      clearTimeout(timer)
      // Until the next listener is attached, which happens later.
      socket.on('error', () => undefined)
      socket.off('error', fail).off('close', close)
      resolve(socket)
    })
  })
}

const late = (): Fault => new Fault(`no connection within ${timeoutMs} ms`)

function tunnel(proxy: URL, server: URL): Promise<Socket> {
  const target = `${server.hostname}:${portOf(server)}`
  const { username, password } = proxy
  const send = proxy.protocol === 'https:' ? requestHttps : requestHttp
  const userAndPassword = {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
  const asUser = username === '' ? {} : { 'Proxy-Authorization': basicHeader(userAndPassword) }
  const request = send({
    method: 'CONNECT',
    host: hostOf(proxy),
    port: portOf(proxy),
    path: target,
    headers: { Host: target, ...asUser },
    agent: false,
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => request.destroy(late()), timeoutMs)
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(faultFrom(error, `proxy ${proxy.host}`))
    })
    request.on('connect', ({ statusCode }, socket: Socket) => {
      clearTimeout(timer)
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Fault(`the proxy ${proxy.host} answered ${statusCode}`))
    })
    request.end()
  })
}
