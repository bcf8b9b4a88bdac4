// Watches of large objects that are not read. The attacker holds a token of the embedded API for a namespace,
// which allows 2,000 watches. Afterwards: those that have waited for longest are cut off once they take too much
// memory together, and others can watch.
// Before: each kept 3 MB for half a minute, and 500 of them took 1.6 GB.
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const path = '/api/v1/namespaces/shop/configmaps?watch=1'
const asked = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tenant\r\n\r\n`
// More than the kernel keeps for a connection.
const largeBytes = 12_000_000

test('of eight watches that are not read, most are cut off', { timeout: 60_000 }, async () => {
  const stand = await ApiStand.start({ isWhole: true, limits: { answersBytes: 2.5 * largeBytes } })
  onTestFinished(() => stand.stop())
  const metadata = { name: 'large', namespace: 'shop' }
  await stand.put('configmaps', { metadata, data: { text: 'x'.repeat(largeBytes) } })
  const sockets: TLSSocket[] = []
  for (let opened = 0; opened < 8; opened++) {
    const socket = (await stand.socket()).pause().on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(asked)
    sockets.push(socket)
  }
  const open = () => {
    // Behind a request this is no more than a sign of life: it fails once the server has closed.
    for (const socket of sockets) if (!socket.destroyed) socket.write('\r\n')
    return sockets.filter(({ destroyed }) => !destroyed).length
  }
  await expect.poll(open, { timeout: 25_000, interval: 250 }).toBeLessThan(4)
  for await (const event of stand.events(path, { token: 'reader' })) {
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata } })
    break
  }
  expect(stand.failures).toEqual([])
})
