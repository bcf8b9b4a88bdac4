// Bodies of very many small parts, whole at the same moment. The attacker holds a token of the embedded API for a
// namespace. Afterwards: so many are parsed at once as there is room for, and all are answered.
// Before: 40 of 3 MB were all parsed, 60 MB each, before the first of them was decided, and ended the program,
// out of memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'

/** With room for a few of the bodies, not for all. */
const heap = '--max-old-space-size=384'
const count = 24
const stand = `
const { ApiStand, ca } = await import('${new URL('../build/apiStand.ts', import.meta.url).href}')
const stand = await ApiStand.start({ isWhole: true })
process.send({ port: stand.api.port, ca })
process.on('message', () => stand.stop().then(() => process.disconnect()))
`
const body = `{"metadata":{"name":"a"},"x":[${'{},'.repeat(950_000)}{}]}`
const head = `POST /api/v1/namespaces/shop/configmaps?fieldValidation=Ignore HTTP/1.1
Host: x
Authorization: Bearer tenant
Content-Type: application/json
Content-Length: ${body.length}

`.replaceAll('\n', '\r\n')

/** All of it but the last octet. */
function sendsMost(at: { readonly port: number; readonly ca: string }): Promise<TLSSocket> {
  const socket = connect({ ...at, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.write(head + body.slice(0, -1), () => resolve(socket))
  })
}

test('bodies are parsed a few at a time, and all are answered', { timeout: 60_000 }, async () => {
  const args = [heap, '--input-type=module', '--eval', stand]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const over = once(child, 'exit')
  onTestFinished(async () => {
    if (child.connected) child.send('stop')
    await over
  })
  const [at] = await once(child, 'message')
  const sockets = await Promise.all(Array.from({ length: count }, () => sendsMost(at)))
  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]))
  for (const socket of sockets) socket.write(body.slice(-1))
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 \d+ /)
})
