// Which objects of a kind exist? Read page by page, and a page item by item as its bytes come.
import { Fields, isRecord } from '../decode/fields.ts'
import { arePieces } from './answer.ts'
import type { Api } from './client.ts'
import { Fault } from './fault.ts'
import { ListText } from './listText.ts'
import { pathOf, type Resource } from './resource.ts'

type Some = {
  /** Has to be consumed, once and in order: each is parsed when it is asked for. */
  readonly items: Iterable<unknown>
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
  for (let from: Readonly<Record<string, string>> | undefined = {}; from !== undefined; ) {
    const query = { ...resource.selector, limit: String(pageSize), ...from }
    const pieces = await api.call({ method: 'GET', path, query, signal, answer: 'pieces' })
    if (!arePieces(pieces)) throw new Fault(`GET ${path}: no answer`)
    const page = new Page(`GET ${path}`)
    for await (const bytes of pieces) yield { items: page.take(bytes), resourceVersion: '' }
    const { metadata, items } = page.end()
    yield { items, resourceVersion: metadata.text('resourceVersion') }
    const next = metadata.text('continue')
    from = next === '' ? undefined : { continue: next }
  }
}

class Page {
  readonly #request: string
  readonly #text: ListText
  /** The list without its items, as it is known when the first of them comes. */
  #begun: Fields | undefined
  /** Items without a type, while that of the list is not known either. */
  readonly #untyped: unknown[] = []

  constructor(request: string) {
    this.#request = request
    this.#text = new ListText(request)
  }

  *take(bytes: Buffer): Generator<unknown> {
    for (const item of this.#text.take(bytes)) {
      this.#begun ??= headOf(this.#text.begun, this.#request)
      if (hasKind(item)) yield item
      else if (this.#begun.text('kind') === '') this.#untyped.push(item)
      else yield typed(item, this.#begun)
    }
  }

  end(): { readonly metadata: Fields; readonly items: readonly unknown[] } {
    const list = headOf(this.#text.end(), this.#request)
    const metadata = list.inner('metadata')
    const isKnown = list.text('kind') !== '' && metadata.text('resourceVersion') !== ''
    if (!isKnown || !isTaken(list)) throw noList(this.#request)
    return { metadata, items: this.#untyped.map((item) => typed(item, list)) }
  }
}

/** Its members may come after the items, as those of custom resources do. */
function headOf(json: unknown, request: string): Fields {
  const list = new Fields(json, [])
  if (list.has('kind') && !list.text('kind').endsWith('List')) throw noList(request)
  return list
}

/** Whether every item has been read. One that has not would count as deleted. */
const isTaken = (list: Fields): boolean => {
  const { items } = list.json
  return !list.has('items') || (Array.isArray(items) && items.length === 0)
}

const noList = (request: string): Fault => new Fault(`${request}: the answer is not a list`)

const hasKind = (item: unknown): boolean => isRecord(item) && item['kind'] !== undefined

/** Items of core kinds come without their type, which is the list's. */
function typed(item: unknown, list: Fields): unknown {
  const apiVersion = list.text('apiVersion')
  const kind = list.text('kind').slice(0, -'List'.length)
  return isRecord(item) ? { apiVersion, kind, ...item } : item
}
