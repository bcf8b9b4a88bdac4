// What if a client does not keep to the rules? Bytes of a test's choice, on connections of its own.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { type Keys, readKeys, trustOf } from '../../src/app/up/keys.ts'
import type { Up } from './berth.ts'

export const portOf = ({ server }: Pick<Up, 'server'>): number => Number(new URL(server).port)

function keysOf({ folder }: Pick<Up, 'folder'>): Keys {
  const keys = readKeys(folder.keys)
  if (keys === undefined) throw new Error('it has no keys')
  return keys
}

/** Let in, unless the test has it otherwise. */
export async function secureSocket(
  up: Pick<Up, 'server' | 'folder'>,
  options: object = {},
): Promise<TLSSocket> {
  const keys = keysOf(up)
  const { cert, key } = keys.admin
  const given = { host: '127.0.0.1', port: portOf(up), ca: trustOf(keys), cert, key, ...options }
  const socket = connect(given)
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'secureConnect')
  socket.on('error', () => undefined)
  return socket
}

export const asking = (path: string, method = 'GET', headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

/** Whatever comes until the other side ends it, or nothing more does. */
export async function answerTo(socket: TLSSocket, bytes: string, quietMs = 500): Promise<string> {
  let [text, heardAt, isOver] = ['', performance.now(), false]
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    heardAt = performance.now()
  })
  socket.on('close', () => {
    isOver = true
  })
  socket.write(bytes)
  while (!isOver && (text === '' || performance.now() - heardAt < quietMs)) {
    if (performance.now() - heardAt > 10_000) break
    await sleep(10)
  }
  return text
}
