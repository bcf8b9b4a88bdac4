// Which objects of a kind exist? Read page by page, so that only one is in memory.
import { Fields, isRecord } from '../decode/fields.ts'
import type { Api } from './client.ts'
import { Fault } from './fault.ts'
import { listIn } from './listText.ts'
import { pathOf, type Resource } from './resource.ts'

type Page = {
  /** Can be consumed once, in order. */
  readonly items: Iterable<unknown>
  readonly resourceVersion: string
}

const pageSize = 500

/** All pages show one resourceVersion. If the server no longer has it: ApiError 410, start over. */
export async function* listPages(
  api: Api,
  resource: Resource,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const path = pathOf(resource)
  const page = (from: Readonly<Record<string, string>>): Promise<unknown> => {
    const query = { ...resource.selector, limit: String(pageSize), ...from }
    const coming = api.call({ method: 'GET', path, query, signal, answer: 'bytes' })
    // The reader may have stopped and no longer wait for it.
    coming.catch(() => undefined)
    return coming
  }
  for (let coming: Promise<unknown> | undefined = page({}); coming !== undefined; ) {
    const bytes: unknown = await coming
    if (!Buffer.isBuffer(bytes)) throw new Fault(`GET ${path}: no answer`)
    const { head, items } = listIn(bytes, `GET ${path}`)
    const list = new Fields(head, [])
    const metadata = list.inner('metadata')
    const resourceVersion = metadata.text('resourceVersion')
    if (!list.text('kind').endsWith('List') || resourceVersion === '') {
      throw new Fault(`GET ${path}: the answer is not a list`)
    }
    const next = metadata.text('continue')
    // The server prepares the next page while this one is read.
    coming = next === '' ? undefined : page({ continue: next })
    yield { items: typed(items, list), resourceVersion }
  }
}

/** Items of core kinds come without their type, which is the list's. */
function* typed(items: Iterable<unknown>, list: Fields): Generator<unknown> {
  const apiVersion = list.text('apiVersion')
  const kind = list.text('kind').slice(0, -'List'.length)
  for (const item of items) yield isRecord(item) ? { apiVersion, kind, ...item } : item
}
