// An API server that holds exactly these objects and forgets what is written, for steps that read
// many kinds.
import type { JsonObject } from '../../src/core/model/gate.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { metaOf } from '../../src/edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { type KindName, kinds, resourceOf, typeOf } from '../../src/edge/kube/kinds.ts'
import { apiTo, rawServer, sendJson } from './rawServer.ts'

export type Served = { readonly kind: KindName; readonly json: JsonObject }

export const served = (kind: KindName, metadata: object, more: object = {}): Served => ({
  kind,
  json: { ...typeOf(kind), metadata: { ...metadata }, ...more },
})

const plurals = new Set(kinds.map(({ plural }) => plural))
const isList = (path: string): boolean => plurals.has(path.slice(path.lastIndexOf('/') + 1))

function placeOf({ kind, json }: Served) {
  const { name, namespace } = metaOf(new Fields(json, []))
  const here = resourceOf(kind, namespace === '' ? undefined : namespace)
  return { lists: [pathOf(resourceOf(kind)), pathOf(here)], path: pathOf(here, name) }
}

/** Lists whose path matches `fails` are answered 500. */
export async function servedObjects(objects: readonly Served[], fails = /^$/) {
  const placed = objects.map((one) => ({ ...one, ...placeOf(one) }))
  const server = await rawServer(({ method, path }, response) => {
    const one = placed.find((object) => object.path === path)
    if (fails.test(path)) sendJson(response, { kind: 'Status', code: 500 }, 500)
    else if (method !== 'GET') sendJson(response, {})
    else if (one !== undefined) sendJson(response, one.json)
    else if (!isList(path)) sendJson(response, { kind: 'Status', code: 404 }, 404)
    else {
      const items = placed.filter(({ lists }) => lists.includes(path)).map(({ json }) => json)
      sendJson(response, { kind: 'List', metadata: { resourceVersion: '1' }, items })
    }
  })
  const writes = () =>
    server.asked
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.slice(path.lastIndexOf('/') + 1)}`)
  return { api: apiTo(server), writes }
}
