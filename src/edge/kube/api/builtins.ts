// How are Node's HTTP and TLS modules loaded? Not by `import`, which evaluates all their exports
// and so loads a WebSocket client and every root certificate, 9 MB that nobody uses.
import type { RequestListener } from 'node:http'
import type { Server, ServerOptions } from 'node:https'

export const { createServer, request } = process.getBuiltinModule('node:http')
export const { checkServerIdentity, connect, createSecureContext } =
  process.getBuiltinModule('node:tls')

/** Loaded only where it is asked for. */
export const secureServer = (options: ServerOptions, listener: RequestListener): Server =>
  process.getBuiltinModule('node:https').createServer(options, listener)
