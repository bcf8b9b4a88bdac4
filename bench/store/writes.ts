// How many writes a second does a server accept, each durable before it is answered?
import type { Goods } from './goods.ts'
import { Line, requestBytes, revisionIn } from './line.ts'
import type { Server } from './servers.ts'

export type Operation = 'create' | 'update'
export type WriteRun = {
  readonly server: Server
  readonly goods: Goods
  readonly clients: number
  /** Of all clients together. */
  readonly count: number
}

let made = 0

/** Each client has one connection and one request in flight. */
export async function inParallel(
  { server, clients }: Pick<WriteRun, 'server' | 'clients'>,
  work: (line: Line, client: number) => Promise<void>,
): Promise<number> {
  const lines = await Promise.all(Array.from({ length: clients }, () => Line.open(server)))
  const start = performance.now()
  await Promise.all(lines.map(work))
  const ms = performance.now() - start
  for (const line of lines) line.close()
  return ms
}

/** Writes a second; the objects stay. */
export async function create({ server, goods, clients, count }: WriteRun): Promise<number> {
  made += 1
  const series = `s${made}`
  const requests = Array.from({ length: count }, (_, number) => {
    const body = goods.object(`${series}-${number}`, `of ${series}`)
    return requestBytes(server, 'POST', goods.path, body)
  })
  const left = requests.values()
  const ms = await inParallel({ server, clients }, async (line) => {
    for (const request of left) await line.expect(201, request)
  })
  return (count * 1000) / ms
}

/** Each client updates its own objects in turn, with the resourceVersion it saw last. */
export async function update({ server, goods, clients, count }: WriteRun): Promise<number> {
  made += 1
  const series = `u${made}`
  const own = 10
  const revisions = new Map<string, string>()
  await inParallel({ server, clients }, async (line, client) => {
    for (let number = 0; number < own; number++) {
      const name = `${series}-${client}-${number}`
      const body = goods.object(name, 'new')
      const answer = await line.expect(201, requestBytes(server, 'POST', goods.path, body))
      revisions.set(name, revisionIn(answer))
    }
  })
  const each = Math.floor(count / clients)
  const ms = await inParallel({ server, clients }, async (line, client) => {
    for (let number = 0; number < each; number++) {
      const name = `${series}-${client}-${number % own}`
      const object = goods.object(name, `version ${number}`)
      const resourceVersion = revisions.get(name)
      const body = { ...object, metadata: { ...Object(object['metadata']), resourceVersion } }
      const request = requestBytes(server, 'PUT', `${goods.path}/${name}`, body)
      revisions.set(name, revisionIn(await line.expect(200, request)))
    }
  })
  return (each * clients * 1000) / ms
}
