// Which objects of a kind exist? Read page by page, and a page item by item as its bytes come.
import { Fields, isRecord } from '../decode/fields.ts'
import { arePieces } from './answer.ts'
import type { Api } from './client.ts'
import { Fault } from './fault.ts'
import { ListText } from './listText.ts'
import { pathOf, type Resource } from './resource.ts'

type Some = {
  readonly items: readonly unknown[]
  /** Of the whole list; empty until it is known, and always known in the end. */
  readonly resourceVersion: string
}

const pageSize = 500

/** All pages show one resourceVersion. If the server no longer has it: ApiError 410, start over. */
export async function* listPages(
  api: Api,
  resource: Resource,
  signal: AbortSignal,
): AsyncGenerator<Some> {
  const path = pathOf(resource)
  const request = `GET ${path}`
  for (let from: Readonly<Record<string, string>> | undefined = {}; from !== undefined; ) {
    const query = { ...resource.selector, limit: String(pageSize), ...from }
    const text = new ListText(request)
    /** Items without a type, while that of the list is not known either. */
    const untyped: unknown[] = []
    let begun: Fields | undefined
    const pieces = await api.call({ method: 'GET', path, query, signal, answer: 'pieces' })
    if (!arePieces(pieces)) throw new Fault(`${request}: no answer`)
    for await (const bytes of pieces) {
      const items: unknown[] = []
      for (const item of text.take(bytes)) {
        begun ??= headOf(text.begun, request)
        if (hasKind(item)) items.push(item)
        else if (begun.text('kind') === '') untyped.push(item)
        else items.push(typed(item, begun))
      }
      if (items.length > 0) yield { items, resourceVersion: '' }
    }
    const list = headOf(text.end(), request)
    const metadata = list.inner('metadata')
    const resourceVersion = metadata.text('resourceVersion')
    if (list.text('kind') === '' || resourceVersion === '') throw noList(request)
    yield { items: untyped.map((item) => typed(item, list)), resourceVersion }
    const next = metadata.text('continue')
    from = next === '' ? undefined : { continue: next }
  }
}

/** Its members may come after the items, as those of custom resources do. */
function headOf(json: unknown, request: string): Fields {
  const list = new Fields(json, [])
  if (list.has('kind') && !list.text('kind').endsWith('List')) throw noList(request)
  return list
}

const noList = (request: string): Fault => new Fault(`${request}: the answer is not a list`)

const hasKind = (item: unknown): boolean => isRecord(item) && item['kind'] !== undefined

/** Items of core kinds come without their type, which is the list's. */
function typed(item: unknown, list: Fields): unknown {
  const apiVersion = list.text('apiVersion')
  const kind = list.text('kind').slice(0, -'List'.length)
  return isRecord(item) ? { apiVersion, kind, ...item } : item
}
