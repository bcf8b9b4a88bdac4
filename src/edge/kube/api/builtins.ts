// How are Node's HTTP and TLS modules loaded? Not by `import`, which evaluates all their exports
// and so loads a WebSocket client and every root certificate, 9 MB that nobody uses.

export const { createServer, request } = process.getBuiltinModule('node:http')
export const { checkServerIdentity, connect, createSecureContext } =
  process.getBuiltinModule('node:tls')
