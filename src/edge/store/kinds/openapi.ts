// Which OpenAPI documents are published? Of v3 one for each group and version, and an index with
// hashes for caching; of v2 one. They are made on request and kept until the kinds change.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../core/model/gate.ts'
import { publishedAs } from './builtIn.ts'
import { contentOf, objectMeta } from './completeSchema.ts'
import { published } from './definitions.ts'
import type { Kinds } from './kinds.ts'
import { pathsOf, usedByPaths } from './openapiPaths.ts'
import { openApiV2 } from './openapiV2.ts'
import type { StoredKind } from './storedKind.ts'

type Document = { readonly bytes: Uint8Array; readonly hash: string }

export class OpenApi {
  readonly #kinds: Kinds
  readonly #documents = new Map<string, Document>()
  #generation = -1

  constructor(kinds: Kinds) {
    this.#kinds = kinds
  }

  /** /openapi/v3 */
  index(): JsonObject {
    const paths = this.#paths().map((path) => {
      const { hash } = this.#document(path)
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]
    })
    return { paths: Object.fromEntries(paths) }
  }

  /** By its path below /openapi/v3, such as `apis/apps/v1`; undefined if there is none. */
  document(path: string): Document | undefined {
    return this.#paths().includes(path) ? this.#document(path) : undefined
  }

  /** /openapi/v2, in JSON: all schemas in one document. */
  older(): Document {
    return this.#kept('', () => {
      const schemas = this.#paths().map((path) => documentOf(this.#kinds, path).components.schemas)
      return openApiV2(Object.assign({}, ...schemas))
    })
  }

  #paths(): readonly string[] {
    const found = this.#kinds
      .all()
      .flatMap((kind) => kind.versions.map(({ name }) => pathOf(kind, name)))
    return [...new Set(found)]
  }

  #document(path: string): Document {
    return this.#kept(path, () => documentOf(this.#kinds, path))
  }

  #kept(path: string, make: () => object): Document {
    const { generation } = this.#kinds
    if (generation !== this.#generation) this.#documents.clear()
    this.#generation = generation
    const known = this.#documents.get(path)
    if (known !== undefined) return known
    // Once for all answers: each may wait for long to be read.
    const bytes = Buffer.from(JSON.stringify(make()), 'utf8')
    const hash = createHash('sha512').update(bytes).digest('hex').toUpperCase()
    this.#documents.set(path, { bytes, hash })
    return { bytes, hash }
  }
}

const pathOf = ({ group }: StoredKind, version: string): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`

function documentOf(kinds: Kinds, path: string) {
  const places = kinds.all().flatMap((kind) =>
    kind.versions
      .filter(({ name }) => pathOf(kind, name) === path)
      .map(({ name: version }) => {
        const one = nameOf(kind, version)
        return { kind, version, one, list: `${one}List` }
      }),
  )
  const builtIn = places.filter(({ kind }) => kind.isBuiltIn)
  const custom = places.filter(({ kind }) => !kind.isBuiltIn)
  const needed = custom.length > 0 ? [objectMeta, listMeta] : []
  const roots = [...builtIn.flatMap(({ one, list }) => [one, list]), ...needed, ...usedByPaths]
  const schemas = [
    ...reachedFrom(roots).map((name): Entry => [name, published(name)]),
    ...custom.flatMap(({ kind, version, one }) => customSchemas(kind, version, one)),
  ]
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: Object.assign({}, ...places.map(pathsOf)),
    components: { schemas: Object.fromEntries(schemas) as Readonly<Record<string, object>> },
  }
}

type Entry = readonly [string, object]
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'

/** Reversed as in Kubernetes: `io.metallb.v1beta1.IPAddressPool`. */
function nameOf(kind: StoredKind, version: string): string {
  if (kind.isBuiltIn) return publishedAs(kind)
  return [...kind.group.split('.').reverse(), version, kind.kind].join('.')
}

function reachedFrom(roots: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    const text = JSON.stringify(published(name))
    for (const [, other = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) visit(other)
  }
  for (const name of roots) visit(name)
  return [...found].sort()
}

/** Described as in the built-in kinds. */
const ofEveryObject = (like: 'Service' | 'ServiceList'): JsonObject => {
  const { apiVersion, kind, metadata } = published(`io.k8s.api.core.v1.${like}`).properties ?? {}
  const { description, allOf } = metadata ?? {}
  return { apiVersion, kind, metadata: { description, allOf } }
}

function customSchemas(kind: StoredKind, version: string, one: string): readonly Entry[] {
  const { group, listKind } = kind
  const served = kind.versions.find(({ name }) => name === version)
  const content = contentOf(served?.schema ?? {})
  const named = (name: string) => ({
    'x-kubernetes-group-version-kind': [{ group, kind: name, version }],
  })
  const items = { type: 'array', items: { $ref: `#/components/schemas/${one}` } }
  const list = {
    description: `${listKind} is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: { ...ofEveryObject('ServiceList'), items },
    ...named(listKind),
  }
  const properties = { ...content.properties, ...ofEveryObject('Service') }
  return [
    [one, { ...content, properties, ...named(kind.kind) }],
    [`${one}List`, list],
  ]
}
