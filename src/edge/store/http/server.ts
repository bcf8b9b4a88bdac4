// How does the API stand in the network? On HTTPS, within limits; nothing that comes in ends it.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { PeerCertificate, SecureContextOptions, TLSSocket } from 'node:tls'
import { TlsConnections } from '../../host/tlsServerConnections.ts'
import { Answerer, type AnswererParts } from './answerer.ts'
import { refuseBadClients } from './badClient.ts'
import { type Limits, usualLimits } from './limits.ts'

/** Not by `import`, which asks it for all that it offers: every root certificate is read then. */
const tls = process.getBuiltinModule('node:tls')

/** All PEM. */
export type Identity = {
  readonly cert: string
  readonly key: string
  /** Whose client certificates are believed; one after the other when there are several. */
  readonly clientCa: string
}

export type ApiParts = Omit<AnswererParts, 'limits'> & {
  /** 0 for any that is free. */
  readonly port: number
  readonly host: string
  readonly identity: Identity
  readonly limits?: Partial<Limits>
}

export type Api = {
  readonly port: number
  /** For connections from now on: those that are open stay. */
  readonly present: (identity: Identity) => void
  /** Watches are ended; whatever else is under way has a little time. */
  readonly close: () => Promise<void>
}

export async function startApi(parts: ApiParts): Promise<Api> {
  const limits = { ...usualLimits, ...parts.limits }
  const answerer = new Answerer({ ...parts, limits })
  const server = newServer(parts.identity, limits)
  const certificates = new Certificates(parts.now)
  const take =
    (waitsForContinue: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void =>
      answerer.take({ request, response, waitsForContinue }, () => certificates.of(request))
  server.on('request', take(false))
  server.on('checkContinue', take(true))
  refuseBadClients(server)
  // On one machine most come from one address.
  const share = { most: limits.connections, mostOfSource: limits.connections }
  const connections = new TlsConnections(server, share)
  await listening(server, parts).catch((error: unknown) => {
    answerer.close()
    throw error
  })
  server.on('error', parts.failed)
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : parts.port,
    present: (identity) => {
      // Who was let in by an authority of before is not to come back on an old ticket.
      server.setTicketKeys(randomBytes(48))
      server.setSecureContext(contextOf(identity))
    },
    close: () => {
      answerer.close()
      return connections.close(limits.closeMs)
    },
  }
}

const contextOf = ({ cert, key, clientCa }: Identity): SecureContextOptions => ({
  cert,
  key,
  ca: clientCa,
  minVersion: 'TLSv1.2',
})

function newServer(identity: Identity, limits: Limits): Server {
  const server = createServer({
    ...contextOf(identity),
    // Who has none may have a token.
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
    keepAlive: true,
    keepAliveInitialDelay: limits.stallMs,
  })
  // Of a connection on which nothing moves while an answer is under way; a watch has its own.
  server.timeout = limits.stallMs
  return server
}

/** Those that our authority has signed, read once for a connection. */
class Certificates {
  readonly #known = new WeakMap<TLSSocket, PeerCertificate>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  /** A connection may last longer than what it was let in with. */
  of({ socket }: IncomingMessage): PeerCertificate | undefined {
    if (!(socket instanceof tls.TLSSocket) || !socket.authorized) return undefined
    const certificate = this.#known.get(socket) ?? socket.getPeerCertificate()
    this.#known.set(socket, certificate)
    return Date.parse(certificate.valid_to) > this.#now().getTime() ? certificate : undefined
  }
}

function listening(server: Server, { port, host }: ApiParts): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
