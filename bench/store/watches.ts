// How long after a write is sent do watchers see it?

import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { configMaps } from './goods.ts'
import { Line, openSocket, requestBytes, revisionIn } from './line.ts'
import type { Server } from './servers.ts'

export type WatchRun = { readonly watchers: number; readonly writes: number }

const [brace, newline] = ['}'.charCodeAt(0), '\n'.charCodeAt(0)]
/** Pause between two writes, so that they do not overlap. */
const pauseMs = 20
const name = 'watched'

/** Calls back for each event: only an event ends with a line break after an object. */
async function follow(server: Server, from: string, seen: () => void): Promise<TLSSocket> {
  const query = `watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3D${name}`
  const socket = await openSocket(server)
  let last = 0
  socket.on('data', (bytes: Buffer) => {
    for (const byte of bytes) {
      if (byte === newline && last === brace) seen()
      last = byte
    }
  })
  socket.write(requestBytes(server, 'GET', `${configMaps.path}?${query}`))
  return socket
}

/** Milliseconds from a write to each watcher, sorted. */
export async function latencies(server: Server, { watchers, writes }: WatchRun): Promise<number[]> {
  const line = await Line.open(server)
  const body = (text: string) => configMaps.object(name, text)
  const path = `${configMaps.path}/${name}`
  await line.ask(requestBytes(server, 'DELETE', path))
  const made = await line.expect(201, requestBytes(server, 'POST', configMaps.path, body('new')))
  const delays: number[] = []
  let sentMs = 0
  const seen = () => delays.push(performance.now() - sentMs)
  const from = revisionIn(made)
  const open = Array.from({ length: watchers }, () => follow(server, from, seen))
  const sockets = await Promise.all(open)
  await sleep(500)
  for (let write = 1; write <= writes; write++) {
    sentMs = performance.now()
    await line.expect(200, requestBytes(server, 'PUT', path, body(`version ${write}`)))
    while (delays.length < write * watchers) await sleep(1)
    await sleep(pauseMs)
  }
  for (const socket of sockets) socket.destroy()
  line.close()
  return delays.sort((one, other) => one - other)
}
