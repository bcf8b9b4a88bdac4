// Which objects of a kind are there? Page by page, so that no more than one is in memory.
import { Fields, isRecord } from '../decode/fields.ts'
import type { Api } from './client.ts'
import { Fault } from './fault.ts'
import { pathOf, type Resource } from './resource.ts'

export type Page = { readonly items: readonly unknown[]; readonly resourceVersion: string }

const pageSize = 500

/** All pages are of one moment. When the server no longer knows it: ApiError 410, begin again. */
export async function* listPages(
  api: Api,
  resource: Resource,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const path = pathOf(resource)
  let next = ''
  do {
    const query = { limit: String(pageSize), ...(next === '' ? {} : { continue: next }) }
    const json = await api.call({ method: 'GET', path, query, signal })
    const list = new Fields(json, [])
    const metadata = list.inner('metadata')
    const resourceVersion = metadata.text('resourceVersion')
    if (!list.text('kind').endsWith('List') || resourceVersion === '') {
      throw new Fault(`GET ${path}: the answer is no list`)
    }
    yield { items: itemsOf(json), resourceVersion }
    next = metadata.text('continue')
  } while (next !== '')
}

/** Items of core kinds come without their type: it is the list's. */
function itemsOf(list: unknown): readonly unknown[] {
  const { apiVersion, kind, items } = isRecord(list) ? list : {}
  if (!Array.isArray(items)) return []
  const type = { apiVersion, kind: String(kind).slice(0, -'List'.length) }
  return items.map((item) => (isRecord(item) ? { ...type, ...item } : item))
}
