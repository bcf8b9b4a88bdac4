// How is the API served? Over HTTPS, within limits; no request can end the process.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { PeerCertificate, SecureContextOptions, TLSSocket } from 'node:tls'
import { Pipelines } from '../../host/pipelines.ts'
import { TlsConnections } from '../../host/tlsServerConnections.ts'
import { tlsTerms } from '../../host/tlsTerms.ts'
import { Answerer, type AnswererParts } from './answerer.ts'
import { refuseBadClients } from './badClient.ts'
import { type Limits, usualLimits } from './limits.ts'

/** Not by `import`, which touches every export and so reads all root certificates. */
const tls = process.getBuiltinModule('node:tls')

/** All PEM. */
export type Identity = {
  readonly cert: string
  readonly key: string
  /** The authorities that sign client certificates, concatenated. */
  readonly clientCa: string
}

type ApiParts = Omit<AnswererParts, 'limits'> & {
  /** 0 for any free port. */
  readonly port: number
  readonly host: string
  readonly identity: Identity
  readonly limits?: Partial<Limits>
}

export type Api = {
  readonly port: number
  /** Applies to new connections; open ones stay. */
  readonly present: (identity: Identity) => void
  /** Ends watches at once, and gives other requests a little time. */
  readonly close: () => Promise<void>
}

export async function startApi(parts: ApiParts): Promise<Api> {
  const limits = { ...usualLimits, ...parts.limits }
  const answerer = new Answerer({ ...parts, limits })
  const server = newServer(parts.identity, limits)
  const certificates = new Certificates(parts.now)
  const pipelines = new Pipelines()
  const take =
    (waitsForContinue: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      if (!pipelines.enter(request, response)) return
      answerer.take({ request, response, waitsForContinue }, () => certificates.of(request))
    }
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
      // A session ticket must not outlive the authority that the client was admitted with.
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
  ...tlsTerms,
})

function newServer(identity: Identity, limits: Limits): Server {
  const server = createServer({
    ...contextOf(identity),
    // A client without a certificate may have a token.
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
  // For connections that stall during an answer; a watch has its own limit.
  server.timeout = limits.stallMs
  return server
}

/** The certificate that our authority has signed, read once for each connection. */
class Certificates {
  readonly #known = new WeakMap<TLSSocket, PeerCertificate>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  /** A connection can outlive its certificate. */
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
