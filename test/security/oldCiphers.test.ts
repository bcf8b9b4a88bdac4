// Old cipher suites are negotiated. The attacker is between a client and Berth and strips offers, or has
// a client that only knows old ones. Afterwards: no session has a suite without authenticated encryption
// or without forward secrecy.
// Before: CBC suites were agreed on.
import { once } from 'node:events'
import { type ConnectionOptions, connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { newCertificate } from '../../src/edge/host/certificate.ts'
import { startTlsServer } from '../../src/edge/host/tlsServer.ts'
import { upStand } from './upStand.ts'

const hourMs = 3_600_000
const span = { from: new Date(Date.now() - hourMs), until: new Date(Date.now() + hourMs) }
const certificate = await newCertificate({ names: ['127.0.0.1'], ...span })

async function webhookPort(): Promise<number> {
  const server = await startTlsServer({
    ...{ port: 0, host: '127.0.0.1', maxBytes: 1_000, closeMs: 100 },
    routes: new Map(),
    failed: () => undefined,
  })
  server.present(certificate)
  onTestFinished(() => server.close())
  return server.port
}
const apiPort = async (): Promise<number> => (await upStand()).port

/** The suite that was agreed on, or why none was. */
async function agreed(port: number, offer: ConnectionOptions): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...offer })
  try {
    await once(socket, 'secureConnect')
    return socket.getCipher().name
  } catch (error) {
    return String((error as { code?: string }).code)
  } finally {
    socket.destroy()
  }
}

const [v12, none] = [{ maxVersion: 'TLSv1.2' } as const, /ALERT|RESET|NO_CIPHER|PROTOCOL/]
const offers: readonly (readonly [string, ConnectionOptions, RegExp])[] = [
  ['CBC alone', { ...v12, ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384' }, none],
  [
    'CBC first',
    { ...v12, ciphers: 'ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256' },
    /GCM/,
  ],
  ['a key that is not forgotten', { ...v12, ciphers: 'AES128-GCM-SHA256:AES256-SHA' }, none],
  ['TLS 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }, none],
  ['everything up to 1.2', { ...v12, ciphers: 'ALL' }, /GCM|POLY1305/],
  ['what Go offers with 1.2', { ...v12, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, /GCM/],
  ['TLS 1.3', {}, /^TLS_/],
]
const servers = [
  ['webhooks', webhookPort],
  ['the embedded API', apiPort],
] as const

for (const [what, start] of servers) {
  test.each(offers)(`${what}, offered %s`, async (_, offer, suite) => {
    expect(await agreed(await start(), offer)).toMatch(suite)
  })
}
