// Which objects does a scenario make on a running API? Applied as kubectl would, listed, and all
// removed again; what somebody else made is left alone.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../../core/model/gate.ts'
import { type Json, merged, recordAt } from '../../../core/model/json.ts'
import { idOf } from '../../../core/sim/objects.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { ifThere, isNotFound } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import type { ServedKind } from '../../../edge/kube/api/servedKinds.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'
import { kinds, typeOf } from '../../../edge/kube/kinds.ts'

/** A kind of which something was written, up to which version, and whether something of it went. */
export type Written = { readonly kind: string; readonly isLess: boolean; readonly version?: number }

/** What the API holds of a kind; how many only matters where something went. */
export type Held = { readonly kind: string; readonly newest: number; readonly count?: number }

type Done = { readonly refusals: readonly string[]; readonly written: readonly Written[] }

/** What is being deleted. */
type Going = {
  readonly id: string
  readonly kind: string
  readonly path: string
  readonly uid: unknown
  readonly isGone: boolean
}

type Made = {
  readonly served: ServedKind
  readonly manifest: Json
}

/** A new cluster's garbage collector can take 30 s to notice a newly defined kind. */
const [patienceMs, pauseMs] = [60_000, 20]
const retryMs = 200
/** The garbage collector takes along what was made from these. */
const owners = ['Tenant', 'Site', 'Node', 'IPSet', 'DNSMasq', 'DNSData']

export class LiveObjects {
  readonly #api: Api
  readonly #kinds: ReadonlyMap<string, ServedKind>
  readonly #made = new Map<string, Made>()

  /** Every kind that the scenario names, by its name. */
  constructor(api: Api, kinds: ReadonlyMap<string, ServedKind>) {
    this.#api = api
    this.#kinds = kinds
  }

  get made(): ReadonlyMap<string, Made> {
    return this.#made
  }

  async apply(given: Json): Promise<Done> {
    const served = this.#served(String(given['kind']))
    const manifest = placed(given, served)
    const path = pathIn(served, manifest)
    const { status, ...main } = manifest
    const written: Written[] = []
    const note = (reply: unknown): void => {
      written.push({ kind: served.kind, isLess: false, version: versionOf(reply) })
    }
    try {
      note(await this.#put(served, main))
      this.#made.set(idOf(manifest), { served, manifest: main })
      if (status !== undefined && served.hasStatus) {
        const contentType = 'application/merge-patch+json'
        const request = { method: 'PATCH', path: `${path}/status`, contentType } as const
        note(await this.#api.call({ ...request, body: { status } }))
      }
      return { refusals: [], written }
    } catch (error) {
      return { refusals: [`${idOf(manifest)}: ${refusalIn(error)}`], written }
    }
  }

  async isThere(manifest: Json): Promise<boolean> {
    const served = this.#served(String(manifest['kind']))
    return (await this.#read(pathIn(served, placed(manifest, served)))) !== undefined
  }

  /** For longer than the scenario. Answers whether it had to be made. */
  async ensureNamespace(name: string): Promise<boolean> {
    const manifest = { ...typeOf('Namespace'), metadata: { name } }
    if (await this.isThere(manifest)) return false
    await this.#put(this.#served('Namespace'), manifest)
    return true
  }

  #served(kind: string): ServedKind {
    const served = this.#kinds.get(kind)
    if (served === undefined) throw new Fault(`${kind} is not served`)
    return served
  }

  /**
   * Three ways, as kubectl does: what the last manifest said and this one does not is removed. What
   * was not written before is hardly ever there: it is read only if the API refuses to create it.
   */
  async #put(served: ServedKind, manifest: Json): Promise<unknown> {
    const path = pathIn(served, manifest)
    const namespace = namespaceOf(manifest)
    const collection = pathOf({ ...served.resource, namespace })
    const last = this.#made.get(idOf(manifest))?.manifest
    let there = last === undefined ? undefined : await this.#read(path)
    for (;;) {
      const isNew = there === undefined
      const body = there === undefined ? manifest : merged(there, last ?? {}, manifest)
      try {
        if (isNew) return await this.#api.call({ method: 'POST', path: collection, body })
        return await this.#api.call({ method: 'PUT', path, body })
      } catch (error) {
        const code = error instanceof ApiError ? error.code : 0
        // A scenario need not say that a namespace is there, nor that it is again.
        const isHomeless = isNotFound(error) && namespace !== undefined
        if (isHomeless && (await this.ensureNamespace(namespace))) continue
        // The controller wrote in between, or has made the object.
        const isAsked = code === 409 || (isNew && refusals.includes(code))
        there = isAsked ? await this.#read(path) : undefined
        if (code !== 409 && there === undefined) throw error
      }
    }
  }

  /** All at once; ends when they are gone, and what they own. */
  async delete(ids: readonly string[]): Promise<Done> {
    const all = await Promise.all(ids.map((id) => this.#deleteOne(id)))
    const going = all.flatMap(({ going }) => going ?? [])
    await this.#gone(going)
    for (const { id } of going) this.#made.delete(id)
    // What was made from it, or in it, goes too.
    const kinds = going.flatMap(({ kind }) =>
      [...owners, 'Namespace'].includes(kind) ? [...this.#kinds.keys()] : [kind, 'IPAddressPool'],
    )
    const written = [...new Set(kinds)].map((kind) => ({ kind, isLess: true }))
    return { refusals: all.flatMap(({ refusal }) => refusal ?? []), written }
  }

  async #deleteOne(id: string): Promise<{ readonly refusal?: string; readonly going?: Going }> {
    const [kind = '', ...rest] = id.split('/')
    const [name = '', namespace] = rest.reverse()
    const path = pathOf({ ...this.#served(kind).resource, namespace }, name)
    try {
      const reply = await this.#api.call({ method: 'DELETE', path })
      return { going: { id, kind, path, ...endIn(isRecord(reply) ? reply : {}) } }
    } catch (error) {
      return { refusal: `${id}: ${isNotFound(error) ? `${id} is not there` : refusalIn(error)}` }
    }
  }

  async #gone(going: readonly Going[]): Promise<void> {
    const end = performance.now() + patienceMs
    let left = going.filter(({ isGone }) => !isGone)
    const uids = new Set(going.filter(({ kind }) => owners.includes(kind)).map(({ uid }) => uid))
    for (;;) {
      const found = await Promise.all(left.map(({ path }) => this.#read(path)))
      left = left.filter(({ uid }, index) => metaOf(found[index] ?? {})['uid'] === uid)
      const owned = left.length > 0 || uids.size === 0 ? [] : await this.list()
      const isOver = !owned.some((json) => ownersOf(json).some((uid) => uids.has(uid)))
      if (left.length === 0 && isOver) return
      if (performance.now() > end) {
        const ids = (left.length > 0 ? left : going).map(({ id }) => id).join(', ')
        throw new Fault(`${ids}: not gone after ${patienceMs / 1000} s`)
      }
      await sleep(pauseMs)
    }
  }

  listOf(kind: string): Promise<Json[]> {
    return this.#listed([kind])
  }

  /** Everything of the kinds that the scenario names. */
  list(): Promise<Json[]> {
    return this.#listed([...this.#kinds.keys()])
  }

  async held(written: readonly Written[]): Promise<readonly Held[]> {
    return Promise.all(
      written
        .filter(({ kind }) => this.#kinds.has(kind))
        .map(async ({ kind, isLess, version }) => {
          // The controller sees only those that count, and an edit can take one out of these.
          const { labelSelector = '' } = kinds.find((row) => row.kind === kind) ?? {}
          if (!isLess && labelSelector === '' && version !== undefined) {
            return { kind, newest: version }
          }
          const all = await this.#listed([kind], labelSelector)
          const newest = Math.max(0, ...all.map((json) => Number(metaOf(json)['resourceVersion'])))
          return { kind, newest, ...(isLess || labelSelector !== '' ? { count: all.length } : {}) }
        }),
    )
  }

  async #listed(names: readonly string[], labelSelector = ''): Promise<Json[]> {
    const query = labelSelector === '' ? {} : { labelSelector }
    const lists = await Promise.all(
      names.map(async (kind) => {
        const served = this.#kinds.get(kind)
        if (served === undefined) return []
        const { apiVersion, resource } = served
        const list = await this.#listAt(pathOf(resource), query)
        const items = isRecord(list) && Array.isArray(list['items']) ? list['items'] : []
        return items.filter(isRecord).map((item) => ({ ...item, apiVersion, kind }))
      }),
    )
    return lists.flat()
  }

  /** A kind whose definition was just changed asks to be asked again. */
  async #listAt(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    const end = performance.now() + patienceMs
    for (;;) {
      try {
        return await this.#api.call({ method: 'GET', path, query })
      } catch (error) {
        const isLater = error instanceof ApiError && error.code === 429
        if (!isLater || performance.now() > end) throw error
        await sleep(retryMs)
      }
    }
  }

  async #read(path: string): Promise<Json | undefined> {
    const json = await ifThere(this.#api.call({ method: 'GET', path }))
    return isRecord(json) ? { ...json } : undefined
  }
}

export const metaOf = ({ metadata }: JsonObject): JsonObject => (isRecord(metadata) ? metadata : {})

const namespaceOf = (manifest: Json): string | undefined => {
  const { namespace } = metaOf(manifest)
  return typeof namespace === 'string' ? namespace : undefined
}

const pathIn = ({ resource }: ServedKind, manifest: Json): string =>
  pathOf({ ...resource, namespace: namespaceOf(manifest) }, String(metaOf(manifest)['name']))

function placed(manifest: Json, { isNamespaced }: ServedKind): Json {
  const { namespace, ...rest } = metaOf(manifest)
  const metadata = isNamespaced ? { ...rest, namespace: namespace || 'default' } : rest
  return { ...manifest, metadata }
}

function ownersOf(json: Json): readonly unknown[] {
  const owners = new Fields(metaOf(json), []).each('ownerReferences')
  return owners.map((owner) => owner.text('uid'))
}

const versionOf = (reply: unknown): number =>
  Number(isRecord(reply) ? metaOf(reply)['resourceVersion'] : 0)

/** What was deleted at once is answered by a Status; the rest waits, or shows what it was. */
function endIn(reply: JsonObject): Pick<Going, 'uid' | 'isGone'> {
  const isGone = reply['kind'] === 'Status'
  return { isGone, uid: isGone ? recordAt(reply, 'details')['uid'] : metaOf(reply)['uid'] }
}

const refusals = [400, 403, 409, 422]

/** A refusal is an answer to the question that a scenario asks; anything else is a failure. */
function refusalIn(error: unknown): string {
  if (!(error instanceof ApiError) || !refusals.includes(error.code)) throw error
  return error.message.replace(/^\S+ \S+ \d+ /, '')
}
