// Where do HTTP and TLS come from? Not by `import`, which asks these modules for all that they
// offer: a WebSocket client and every root certificate are loaded then, 9 MB that nobody uses.

export const { createServer, request } = process.getBuiltinModule('node:http')
export const { checkServerIdentity, connect, createSecureContext } =
  process.getBuiltinModule('node:tls')
