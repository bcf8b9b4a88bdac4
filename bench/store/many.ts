// How does a server cope with many objects? The memory they take, how long it takes to list them,
// and how long a restart with them takes.
import { setTimeout as sleep } from 'node:timers/promises'
import { configMaps } from './goods.ts'
import { Line, requestBytes } from './line.ts'
import { type Memory, type Server, timed } from './servers.ts'
import { create } from './writes.ts'

export type Lists = { readonly wholeMs: number; readonly pagedMs: number; readonly bytes: number }
export type Many = {
  readonly writesPerSecond: number
  readonly filled: Memory
  readonly lists: readonly Lists[]
  readonly listed: Memory
  readonly readyMs: number
  readonly restarted: Memory
}

const clients = 32
const pageSize = 500
/** Leaves time for garbage collection. */
const calmMs = 5_000

export const fill = (server: Server, count: number): Promise<number> =>
  create({ server, goods: configMaps, clients, count })

export async function settledMemory(server: Server): Promise<Memory> {
  await sleep(calmMs)
  return server.memory()
}

/** As a client without a cache lists: the current state, in JSON. */
export async function list(server: Server): Promise<Lists> {
  const line = await Line.open(server)
  const get = (query: string) => line.expect(200, requestBytes(server, 'GET', pathWith(query)))
  const [{ lengthBytes: bytes }, wholeMs] = await timed(() => get(''))
  const [, pagedMs] = await timed(async () => {
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query: string = next === '' ? '' : `&continue=${encodeURIComponent(next)}`
      const { start } = await get(`?limit=${pageSize}${query}`)
      next = /"continue":"([^"]+)"/.exec(start)?.[1]
    }
  })
  line.close()
  return { wholeMs, pagedMs, bytes }
}

const pathWith = (query: string): string => `${configMaps.path}${query}`
