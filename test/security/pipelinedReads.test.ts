// Requests sent without end behind answers that are not read. The attacker holds a token of the embedded API
// for a namespace. Afterwards: the connection is closed, what waited on it is forgotten, and others are
// answered.
// Before: each answer was kept until the client read those before it, and none of them was cut off: one
// connection ended the program, out of memory.
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand, type StandOptions } from '../build/apiStand.ts'

const path = '/api/v1/namespaces/shop/configmaps'
const head = 'Host: x\r\nAuthorization: Bearer tenant\r\n'
const get = `GET ${path}/large HTTP/1.1\r\n${head}\r\n`
const post = `POST ${path} HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`
const largeBytes = 5_000_000
const patience = { timeout: 20_000 }

async function standing(limits: StandOptions['limits'] = {}): Promise<ApiStand> {
  const stand = await ApiStand.start({ isWhole: true, limits })
  onTestFinished(() => stand.stop())
  await stand.put('configmaps', {
    metadata: { name: 'large', namespace: 'shop' },
    data: { text: 'x'.repeat(largeBytes) },
  })
  return stand
}

/** Reads nothing of what comes back. */
async function unread(stand: ApiStand, bytes: string): Promise<TLSSocket> {
  const socket = (await stand.socket()).pause().on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  return socket
}

const isAnswered = async (stand: ApiStand) => {
  const body = { metadata: { name: 'mine' } }
  const options = { method: 'POST', token: 'admin', body } as const
  expect((await stand.ask('/api/v1/namespaces/default/configmaps', options)).code).toBe(201)
}

test.each([
  ['reads', get],
  ['writes', post],
])('thousands of %s at once close the connection', patience, async (_, request) => {
  const stand = await standing()
  const socket = (await stand.socket()).resume()
  const over = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
  socket.write(request.repeat(2_000))
  await over
  await isAnswered(stand)
  expect(stand.failures).toEqual([])
})

test('an answer that waits behind one that is not read is cut off with it', patience, async () => {
  const stand = await standing({ answersBytes: 3 * largeBytes })
  const socket = await unread(stand, get.repeat(8))
  // None is cut before it has made no progress for two seconds, and another needs the room.
  const isClosed = async () => {
    await stand.ask(`${path}/large`)
    // Between requests this is no more than a sign of life: it fails once the server has closed.
    if (!socket.destroyed) socket.write('\r\n')
    return socket.destroyed
  }
  await expect.poll(isClosed, { timeout: 10_000, interval: 250 }).toBe(true)
})
