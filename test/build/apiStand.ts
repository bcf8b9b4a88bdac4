// The embedded API on loopback over a store of its own, for tests of what goes over the wire.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { parseYaml } from '../../src/edge/manifests/parseYaml.ts'
import type { Writes as WriteVerbs } from '../../src/edge/store/http/backend.ts'
import type { Limits } from '../../src/edge/store/http/limits.ts'
import { type Api, type Identity, startApi } from '../../src/edge/store/http/server.ts'
import type { TokenHolder } from '../../src/edge/store/http/who.ts'
import { Kinds } from '../../src/edge/store/kinds/kinds.ts'
import { Objects, type ObjectsOptions } from '../../src/edge/store/storage/objects.ts'
import { noAdmission } from '../../src/edge/store/write/admission.ts'
import { encoded } from '../../src/edge/store/write/stored.ts'
import { Writes } from '../../src/edge/store/write/writes.ts'
import { issue, newAuthority } from '../kube/certificates.ts'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'berth-api-'))

/** Gone again at once, so that test files can share this module. */
function inFolder<T>(work: (folder: string) => T): T {
  const folder = newFolder()
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export type Pair = { readonly cert: string; readonly key: string }
const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8')
const authority: Pair = inFolder((folder) => {
  newAuthority(folder)
  return { cert: read(folder, 'ca.crt'), key: read(folder, 'ca.key') }
})
export const ca = authority.cert

/** Signed by the authority that the API believes. */
export function newPair(name: string, subject: string): Pair {
  return inFolder((folder) => {
    const caFile = join(folder, 'ca.crt')
    writeFileSync(caFile, authority.cert)
    writeFileSync(join(folder, 'ca.key'), authority.key)
    const signer = { folder, certFile: caFile }
    const { certFile, keyFile } = issue(signer, name, subject, 'IP:127.0.0.1')
    return { cert: read(certFile), key: read(keyFile) }
  })
}
export const serverIdentity: Identity = { ...newPair('server', '/CN=berth'), clientCa: ca }

export const tokens: ReadonlyMap<string, TokenHolder> = new Map([
  ['admin', { user: 'admin', groups: ['system:masters'] }],
  ['reader', { user: 'reader', groups: [], isReadOnly: true }],
  ['tenant', { user: 'tenant', groups: [], namespace: 'shop' }],
])

export type Answer = {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects it to be is what it is
  readonly json: any
}
export type AskOptions = RequestOptions & { readonly token?: string; readonly body?: unknown }

export type StandOptions = {
  readonly limits?: Partial<Limits>
  readonly store?: ObjectsOptions
  /** Without it nothing is there, and nothing can be written but by `put`. */
  readonly isWhole?: boolean
}

const notHere = (): never => {
  throw new Error('this test has no use for it')
}
const noWrites: WriteVerbs = {
  create: notHere,
  replace: notHere,
  patch: notHere,
  delete: notHere,
  deleteCollection: notHere,
}

export class ApiStand {
  readonly failures: unknown[] = []
  readonly objects: Objects
  kinds = new Kinds()
  now = (): Date => new Date()
  readonly #folder = newFolder()
  readonly #agent = new Agent({ keepAlive: true })
  #api: Api | undefined
  #writes: Writes | undefined

  constructor(options: ObjectsOptions = {}) {
    this.objects = Objects.open(this.#folder, options)
  }

  static async start({ limits, store, isWhole = false }: StandOptions = {}): Promise<ApiStand> {
    const stand = new ApiStand(store)
    const { objects } = stand
    const failed = (error: unknown) => stand.failures.push(error)
    if (isWhole) {
      stand.#writes = await Writes.start({ objects, admission: noAdmission, failed })
      stand.kinds = stand.#writes.kinds
    }
    stand.#api = await startApi({
      port: 0,
      host: '127.0.0.1',
      identity: serverIdentity,
      limits: { closeMs: 200, ...limits },
      kinds: stand.kinds,
      objects,
      writes: stand.#writes ?? noWrites,
      findHolder: (token) => tokens.get(token),
      parseYaml,
      build: '0.0.0',
      now: () => stand.now(),
      random: () => 0.5,
      failed,
    })
    return stand
  }

  get api(): Api {
    if (this.#api === undefined) throw new Error('not started')
    return this.#api
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.api.close()
    await this.#writes?.stop()
    this.objects.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** As the store keeps it; an object that is there already is replaced. */
  put(resource: string, object: JsonObject, fields: Readonly<Record<string, string>> = {}) {
    const kind = this.kinds.get(resource)
    if (kind === undefined) throw new Error(`no kind ${resource}`)
    const apiVersion = kind.group === '' ? kind.storage : `${kind.group}/${kind.storage}`
    return this.objects.write((tx) => {
      const whole = { kind: kind.kind, apiVersion, ...object }
      const stored = encoded({ kind, object: whole, revision: tx.next, fields })
      tx.put(stored)
      return stored.revision
    })
  }

  remove(resource: string, namespace: string, name: string): Promise<void> {
    return this.objects.write((tx) => {
      const stored = tx.get(resource, namespace, name)
      if (stored === undefined) throw new Error(`no ${name}`)
      tx.remove({ ...stored, revision: tx.next })
    })
  }

  options({ token = 'admin', headers, ...rest }: AskOptions = {}): RequestOptions {
    const authorization = token === '' ? {} : { Authorization: `Bearer ${token}` }
    return {
      host: '127.0.0.1',
      port: this.api.port,
      ca,
      agent: this.#agent,
      ...rest,
      headers: { ...authorization, ...headers },
    }
  }

  ask(path: string, options: AskOptions = {}): Promise<Answer> {
    const { body, ...rest } = options
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const asked = request({ ...this.options(rest), path }, async (response) => {
        const text = Buffer.concat(await Array.fromAsync(response)).toString('utf8')
        const { statusCode: code = 0, headers } = response
        const isJson = String(headers['content-type']).startsWith('application/json')
        resolve({ code, headers, text, json: isJson ? parsed(text) : undefined })
      })
      asked.on('error', reject)
      // With some methods node leaves it out, and the body would be taken for the next request.
      if (sent !== undefined) asked.setHeader('Content-Length', Buffer.byteLength(sent))
      asked.end(sent)
    })
  }

  /** Asked at once; each line of a watch as it comes. Ending the loop ends the watch. */
  events(path: string, options: AskOptions = {}): AsyncGenerator<JsonObject> {
    const asked = request({ ...this.options({ agent: false, ...options }), path })
    asked.end()
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      asked.on('response', resolve).on('error', reject),
    )
    answered.catch(() => undefined)
    return (async function* () {
      try {
        const response = await answered
        let rest = ''
        for await (const chunk of response.setEncoding('utf8')) {
          const lines = `${rest}${chunk}`.split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) yield JSON.parse(line)
        }
      } finally {
        asked.destroy()
      }
    })()
  }

  socket(): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: this.api.port, ca }, () => resolve(socket))
      socket.on('error', reject)
    })
  }

  /** What comes back to these bytes until the server closes the connection. */
  async raw(bytes: string, waitMs = 5_000): Promise<string> {
    const socket = await this.socket()
    const late = setTimeout(() => socket.destroy(new Error('it stays open')), waitMs)
    socket.write(bytes)
    const received: Buffer[] = []
    return new Promise((resolve, reject) => {
      const all = () => Buffer.concat(received).toString('utf8')
      socket.on('data', (chunk: Buffer) => received.push(chunk))
      socket.on('close', () => {
        clearTimeout(late)
        resolve(all())
      })
      socket.on('error', (error) => {
        if (error.message === 'it stays open') reject(new Error(`stays open after ${all()}`))
      })
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
