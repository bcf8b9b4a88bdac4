// The writing half of the embedded API, asked by method and path as over the wire, without one.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { convert } from '../../src/edge/store/kinds/convert.ts'
import type { RequestedKind } from '../../src/edge/store/kinds/kinds.ts'
import { resourceOf } from '../../src/edge/store/kinds/storedKind.ts'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import type { Outcome } from '../../src/edge/store/values/status.ts'
import { type Admission, noAdmission } from '../../src/edge/store/write/admission.ts'
import type {
  DeleteOptions,
  Patch,
  WriteTarget,
  Written,
} from '../../src/edge/store/write/asked.ts'
import type { FieldValidation } from '../../src/edge/store/write/readObject.ts'
import type { ServiceRanges } from '../../src/edge/store/write/service/ranges.ts'
import { decoded } from '../../src/edge/store/write/stored.ts'
import { Writes } from '../../src/edge/store/write/writes.ts'
import { newFolder } from './newFolder.ts'
import { randomFrom } from './random.ts'

export type Asked = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Of a patch. */
  readonly type?: Patch['type']
}
export type Answer = {
  readonly code: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects it to be is what it is
  readonly body: any
  readonly warnings: readonly string[]
}

export type StandOptions = {
  readonly folder?: string
  readonly admission?: Admission
  readonly ranges?: ServiceRanges
  /** So that a test can let time pass. */
  readonly now?: () => Date
}

export class WritesStand {
  readonly objects: Objects
  readonly writes: Writes
  /** What failed in the background. */
  readonly failures: unknown[]

  static async start(options: StandOptions = {}): Promise<WritesStand> {
    const { folder = newFolder(), admission = noAdmission, ranges, now } = options
    const objects = Objects.open(folder)
    const failures: unknown[] = []
    const writes = await Writes.start({
      objects,
      admission,
      failed: (error) => failures.push(error),
      random: randomFrom(1),
      ...(ranges === undefined ? {} : { ranges }),
      ...(now === undefined ? {} : { now }),
    })
    const stand = new WritesStand(objects, writes, failures)
    onTestFinished(() => stand.stop())
    return stand
  }

  private constructor(objects: Objects, writes: Writes, failures: unknown[]) {
    this.objects = objects
    this.writes = writes
    this.failures = failures
  }

  async stop(): Promise<void> {
    await this.writes.stop()
    this.objects.close()
  }

  async ask({ method, path, body, type = 'merge' }: Asked): Promise<Answer> {
    const url = new URL(path, 'http://stand')
    const place = this.#placeOf(url.pathname)
    if (place === undefined) return { code: 404, body: '404 page not found', warnings: [] }
    if (method === 'GET') return this.#read(place)
    return answerOf(place.found, await this.#write({ method, path, body, type }, url, place))
  }

  create = (path: string, body: unknown): Promise<Answer> =>
    this.ask({ method: 'POST', path, body })
  get = (path: string): Promise<Answer> => this.ask({ method: 'GET', path })
  patch = (path: string, body: unknown, type: Patch['type'] = 'merge'): Promise<Answer> =>
    this.ask({ method: 'PATCH', path, body, type })
  remove = (path: string, body?: unknown): Promise<Answer> =>
    this.ask({ method: 'DELETE', path, body })

  /** The definitions that we ship. */
  async installCrds(folder = 'crds'): Promise<readonly Answer[]> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const all = await Promise.all(shipped(folder).map((json) => this.create(path, json)))
    for (const { code, body } of all) if (code !== 201) throw new Error(body.message)
    return all
  }

  #placeOf(path: string): WriteTarget | undefined {
    const [root, ...parts] = path.split('/').filter((part) => part !== '')
    const [group = '', version = '', ...rest] = root === 'api' ? ['', ...parts] : parts
    const isInside = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status'
    const [plural = '', name = '', subresource] = isInside ? rest.slice(2) : rest
    const found = this.writes.kinds.find(group, version, plural)
    if (found === undefined) return undefined
    const namespace = isInside ? (rest[1] ?? '') : ''
    const person = { user: 'admin' }
    return { found, namespace, name, isStatus: subresource === 'status', person }
  }

  #read({ found, namespace, name }: WriteTarget): Answer {
    const stored = this.objects.get(resourceOf(found.kind), namespace, name)
    if (stored === undefined) return { code: 404, body: undefined, warnings: [] }
    return answerOf(found, { ok: true, value: { code: 200, shows: { stored }, warnings: [] } })
  }

  async #write(asked: Asked, { searchParams: query }: URL, place: WriteTarget) {
    const { method, body, type = 'merge' } = asked
    const options = {
      isDryRun: query.has('dryRun'),
      fieldManager: query.get('fieldManager') ?? 'tester',
      fieldValidation: validationOf(query.get('fieldValidation')),
      isForced: query.get('force') === 'true',
    }
    const sent = { object: body as JsonObject, duplicates: [] }
    if (method === 'POST') return this.writes.create(place, sent, options)
    if (method === 'PUT') return this.writes.replace(place, sent, options)
    if (method === 'PATCH') {
      return this.writes.patch(place, { type, value: body, duplicates: [] }, options)
    }
    const deletion = deleteOptions(body, options.isDryRun)
    if (place.name !== '') return this.writes.delete(place, deletion)
    return this.writes.deleteCollection(place, undefined, deletion)
  }
}

const validationOf = (text: string | null): FieldValidation =>
  text === 'Strict' || text === 'Ignore' ? text : 'Warn'

function deleteOptions(body: unknown, isDryRun: boolean): DeleteOptions {
  const given = (body ?? {}) as Partial<DeleteOptions>
  const { uid, resourceVersion } = given.preconditions ?? {}
  return {
    isDryRun,
    gracePeriodSeconds: given.gracePeriodSeconds,
    propagationPolicy: given.propagationPolicy,
    preconditions: { uid, resourceVersion },
  }
}

function answerOf({ kind, version }: RequestedKind, outcome: Outcome<Written>): Answer {
  if (!outcome.ok) {
    const { reason, ...rest } = outcome.status
    const body = reason === '' ? rest : { ...rest, reason }
    return { code: outcome.status.code, body, warnings: [] }
  }
  const { code, shows, warnings } = outcome.value
  if ('status' in shows) return { code, body: shows.status, warnings }
  const shown = (stored: Parameters<typeof decoded>[0]) =>
    convert(kind, decoded(stored), version.name)
  if ('stored' in shows) return { code, body: shown(shows.stored), warnings }
  return { code, body: { items: shows.page.items.map(shown) }, warnings }
}

export function shipped(folder: string): readonly JsonObject[] {
  const path = fileURLToPath(new URL(`../../deploy/${folder}`, import.meta.url))
  return readdirSync(path).flatMap((file) =>
    parseManifests(readFileSync(`${path}/${file}`, 'utf8'), file).flatMap((read) =>
      read.ok ? [read.manifest.json] : [],
    ),
  )
}
