// In which form are objects sent? As they are, as a table, or as metadata alone.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import { apiVersionOf } from '../kinds/storedKind.ts'
import type { Page } from '../storage/page.ts'
import type { Stored } from '../storage/stored.ts'
import { type Table, tableOf } from '../table/tableOf.ts'
import { jsonBytes } from '../values/jsonBytes.ts'
import { type Refused, refused } from '../values/status.ts'
import { encodeContinue } from './continueToken.ts'
import { listBody } from './listBody.ts'
import { json, jsonReply, type Reply, refusal } from './reply.ts'
import { shownBytes, shownItems, shownJson } from './shown.ts'
import { type SlicesOfUser, sliceBytes } from './slices.ts'
import type { View } from './view.ts'

/** The current time, for the ages in tables. */
export type Showing = { readonly now: () => Date }

type ShownObject = {
  readonly found: RequestedKind
  readonly view: View
  readonly stored: Stored
  readonly code: number
}

export async function objectReply(
  showing: Showing,
  shown: ShownObject,
  { of, user }: SlicesOfUser,
): Promise<Reply> {
  const { found, view, stored, code } = shown
  const { form } = view
  if (form.as === 'object') return objectLine(code, shownBytes(found, stored))
  if (form.as === 'PartialObjectMetadataList') {
    return refusal(notAcceptable(form.as, `is not a list (${found.kind.kind})`))
  }
  return of.run(user, () => parsedReply(showing, shown))
}

function parsedReply(showing: Showing, { found, view, stored, code }: ShownObject): Reply {
  const { form } = view
  const object = shownJson(found, stored)
  if (form.as === 'PartialObjectMetadata') {
    return jsonReply(code, partialOf(object, form.version))
  }
  const metadata = { resourceVersion: String(stored.revision) }
  return jsonReply(code, tableJson(showing, { found, view, objects: [object], metadata }))
}

/**
 * Kubernetes ends every object with a line break, and clients that print the raw body rely on it.
 */
const objectLine = (code: number, bytes: Uint8Array): Reply => ({
  code,
  type: json,
  body: { lengthBytes: bytes.length + 1, pieces: () => [bytes, lineBreak] },
})
const lineBreak = Buffer.from('\n', 'utf8')

type ShownPage = { readonly found: RequestedKind; readonly view: View; readonly page: Page }

export async function listReply(
  showing: Showing,
  { found, view, page }: ShownPage,
  slices: SlicesOfUser,
): Promise<Reply> {
  const { form } = view
  const metadata = metadataOf(page)
  if (form.as === 'object') return plainList(found, page, metadata)
  if (form.as === 'PartialObjectMetadata') {
    return refusal(notAcceptable(form.as, `is a list (${found.kind.listKind})`))
  }
  if (form.as === 'Table') {
    const tabled = { found, view, metadata }
    const { rows: _none, ...head } = tableJson(showing, { ...tabled, objects: [] })
    const rowOf = (stored: Stored) => {
      const objects = [shownJson(found, stored)]
      return tableJson(showing, { ...tabled, objects }).rows[0]
    }
    return oneByOne(await rendered(page, rowOf, slices), { head, list: 'rows' })
  }
  const head = { kind: form.as, apiVersion: `meta.k8s.io/${form.version}`, metadata }
  const partOf = (stored: Stored) => partialOf(shownJson(found, stored), form.version)
  return oneByOne(await rendered(page, partOf, slices), { head, list: 'items' })
}

type Frame = { readonly head: object; readonly list: 'rows' | 'items' }

/** Parsed objects can be 20 times as large as their bytes: there is never more than one. */
async function rendered(
  { items }: Page,
  show: (stored: Stored) => unknown,
  { of, user, isGone }: SlicesOfUser,
): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = []
  const slice = (): void => {
    for (let bytes = 0; all.length < items.length && bytes < sliceBytes; ) {
      const stored = items[all.length]
      if (stored === undefined) return
      all.push(jsonBytes(show(stored)))
      bytes += stored.bytes.length
    }
  }
  return of.runList(user, async () => {
    while (all.length < items.length && !isGone()) await of.run(user, slice)
    return all
  })
}

function oneByOne(all: readonly Uint8Array[], { head, list }: Frame): Reply {
  const opened = `${JSON.stringify(head).slice(0, -1)},"${list}":[`
  return { code: 200, type: json, body: listBody(opened, { all, cutBytes: 0 }, ']}\n') }
}

function metadataOf({ revision, items, next, remaining }: Page): JsonObject {
  const resourceVersion = String(revision)
  if (next === undefined || items.length === 0) return { resourceVersion }
  return {
    resourceVersion,
    continue: encodeContinue({ at: revision, after: next }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  }
}

function plainList(found: RequestedKind, { items }: Page, metadata: JsonObject): Reply {
  const { kind, version } = found
  const apiVersion = apiVersionOf(kind, version.name)
  const head = JSON.stringify({ kind: kind.listKind, apiVersion, metadata })
  const body = listBody(`${head.slice(0, -1)},"items":[`, shownItems(found, items), ']}\n')
  return { code: 200, type: json, body }
}

export const partialOf = ({ metadata }: JsonObject, version: string): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
})

type Tabled = {
  readonly found: RequestedKind
  readonly view: View
  readonly objects: readonly JsonObject[]
  readonly metadata: JsonObject
}

export function tableJson({ now }: Showing, tabled: Tabled): Table {
  const { found, view, objects, metadata } = tabled
  const { includeObject, form } = view
  const metaVersion = form.as === 'object' ? 'v1' : form.version
  const nowMs = now().getTime()
  return tableOf({ ...found, objects, metadata, nowMs, includeObject, metaVersion })
}

function notAcceptable(asked: string, what: string): Refused {
  const message = `you requested ${asked}, but the requested object ${what}`
  return refused({ code: 406, reason: 'NotAcceptable', message })
}
