// What does an API server do with the requests of a claim? It keeps objects with versions and
// refuses what was decided from an old one; each request and each reply is a step of its own.
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { mergePatch } from '../../src/edge/store/patch/mergePatch.ts'

export type Json = { [field: string]: unknown }
export type Told = { readonly type: 'apply' | 'delete'; readonly json: Json }
type Meta = { name: string; namespace?: string; uid?: string; resourceVersion?: string } & Json

const refusal = (code: number, name: string): ApiError => {
  const status = { details: { name } }
  return new ApiError({
    request: name,
    code,
    reason: '',
    message: '',
    status,
    retryAfterMs: undefined,
  })
}

export const metaOf = (json: Json): Meta => json['metadata'] as Meta
const at = (json: Json | undefined, field: string): Json => (json?.[field] ?? {}) as Json

const kinds: Readonly<Record<string, string>> = {
  addresses: 'Address',
  addressblocks: 'AddressBlock',
  ipsets: 'IPSet',
  reservations: 'Reservation',
}

export class TinyApi {
  readonly #objects = new Map<string, Json>()
  /** By kind, in the order in which it happened. */
  readonly told = new Map<string, Told[]>()
  #version = 0

  all(kind: string): Json[] {
    return [...this.#objects.values()].filter((json) => json['kind'] === kind)
  }

  get(kind: string, name: string): Json | undefined {
    return this.#objects.get(`${kind}/${name}`)
  }

  /** As a user would. */
  put(json: Json): void {
    const before = this.#objects.get(idOf(json))
    const { uid = `uid-${this.#version + 1}`, creationTimestamp } = at(before, 'metadata')
    this.#store({
      ...json,
      metadata: {
        ...metaOf(json),
        uid,
        creationTimestamp: creationTimestamp ?? timeOf(this.#version),
      },
    })
  }

  remove(kind: string, name: string): void {
    const before = this.get(kind, name)
    if (before === undefined) return
    this.#objects.delete(`${kind}/${name}`)
    this.#tell('delete', before)
  }

  serve({ method, path, body = {}, contentType = '' }: ApiRequest): Json {
    const parts = path.split('/')
    const isStatus = parts.at(-1) === 'status'
    const name = parts.at(isStatus ? -2 : -1) ?? ''
    const sent = body as Json
    if (method === 'POST') return this.#create(sent)
    const kind = kinds[parts.at(isStatus ? -3 : -2) ?? ''] ?? 'Service'
    const before = this.get(kind, name)
    if (before === undefined) throw refusal(404, name)
    if (method === 'GET') return before
    const wanted = method === 'DELETE' ? at(sent, 'preconditions') : at(sent, 'metadata')
    const known = metaOf(before)
    // What is not sent is not compared.
    const isOther = (field: string) => field in wanted && wanted[field] !== known[field]
    if (isOther('uid') || isOther('resourceVersion')) throw refusal(409, name)
    if (method === 'DELETE') {
      this.remove(kind, name)
      return { apiVersion: 'v1', kind: 'Status', status: 'Success' }
    }
    this.#store(contentType.includes('strategic') ? withStatus(before, sent) : merged(before, sent))
    return this.get(kind, name) ?? before
  }

  #create(json: Json): Json {
    const { name } = metaOf(json)
    if (this.get(String(json['kind']), name) !== undefined) throw refusal(409, name)
    this.put(json)
    return this.get(String(json['kind']), name) ?? json
  }

  /** A write that changes nothing leaves the version as it is. */
  #store(json: Json): void {
    const before = this.#objects.get(idOf(json))
    const known = at(before, 'metadata')['resourceVersion']
    const same = { ...json, metadata: { ...metaOf(json), resourceVersion: known } }
    if (before !== undefined && JSON.stringify(same) === JSON.stringify(before)) return
    const after = {
      ...json,
      metadata: { ...metaOf(json), resourceVersion: String(++this.#version) },
    }
    this.#objects.set(idOf(json), after)
    this.#tell('apply', after)
  }

  #tell(type: Told['type'], json: Json): void {
    const kind = String(json['kind'])
    const version = type === 'delete' ? String(++this.#version) : metaOf(json).resourceVersion
    const metadata = { ...metaOf(json), resourceVersion: version }
    this.told.set(kind, [...(this.told.get(kind) ?? []), { type, json: { ...json, metadata } }])
  }
}

const idOf = (json: Json): string => `${String(json['kind'])}/${metaOf(json).name}`
const timeOf = (seconds: number): string =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

/** The fields that a write cannot change stay. */
function merged(before: Json, sent: Json): Json {
  const patched = mergePatch(before, sent)
  if (!patched.ok) throw refusal(400, metaOf(before).name)
  const { uid, resourceVersion, name } = metaOf(before)
  const after = patched.value as Json
  return { ...after, metadata: { ...metaOf(after), uid, resourceVersion, name } }
}

/** Conditions are one for each type; a list of ingress comes whole. */
function withStatus(before: Json, sent: Json): Json {
  const [was, is] = [at(before, 'status'), at(sent, 'status')]
  const ingress = 'loadBalancer' in is ? at(is, 'loadBalancer')['ingress'] : undefined
  const conditions = ((is['conditions'] ?? []) as Json[]).flatMap((one) => {
    const known = ((was['conditions'] ?? []) as Json[]).find(({ type }) => type === one['type'])
    return one['$patch'] === 'delete' ? [] : [{ ...known, ...one }]
  })
  const loadBalancer =
    ingress === undefined ? was['loadBalancer'] : ingress === null ? {} : { ingress }
  return {
    ...before,
    metadata: metaOf(merged(before, sent)),
    status: { ...was, loadBalancer: loadBalancer ?? {}, conditions },
  }
}
