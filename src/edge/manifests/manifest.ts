// Which objects does a document hold, and on which line is each of them and each of their fields?
import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml'
import { compose, isObject } from './compose.ts'
import { offsetOf } from './events.ts'
import { maxDepth } from './limits.ts'
import { elements, locate, type Spot } from './locate.ts'

/** The line is counted from 1; standard input is the file '-'. */
type Source = { readonly file: string; readonly line: number }
export type Manifest = {
  readonly json: Readonly<Record<string, unknown>>
  readonly source: Source
  /** The line of a field such as spec.addresses[1], else that of its nearest parent. */
  lineOf(path: string): number
}
export type Unreadable = { readonly source: Source; readonly why: string }
export type Read =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly unreadable: Unreadable }

/** What manifests keep for lineOf: the text alone, since events are many times as large. */
type Document = {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly eventsAgain: () => readonly Event[]
  readonly lineAt: (offset: number) => number
}

type NotRead = Extract<Read, { ok: false }>

export function unreadable(file: string, line: number, why: string): NotRead {
  return { ok: false, unreadable: { source: { file, line }, why } }
}

/** The objects of one document that begins on the given line; a List is its items. */
export function readDocument(file: string, line: number, text: string): Read[] {
  const lineAt = lineCounter(text, line)
  const document: Document = { file, line, text, eventsAgain: remembered(text), lineAt }
  try {
    const events = parseEvents(text, { maxDepth })
    // The first event opens the document, the second is its content.
    if (events.length === 0) return []
    const asKubectl = compose(text, events, { at: 1, letters: 'booleans' })
    const json = isScenario(asKubectl)
      ? compose(text, events, { at: 1, letters: 'names' })
      : asKubectl
    const unread = notRead(document, events)
    if (json === null) return unread
    const root = { at: 1, offset: Math.max(0, offsetOf(events[1])) }
    const objects = objectsAt({ document, events, lineAt: lineCounter(text, line) }, root, json)
    return [...objects, ...unread]
  } catch (error) {
    return [refusal(document, error)]
  }
}

/** A file that holds no object: what it says, and where. */
type Plain = Pick<Manifest, 'lineOf'> & { readonly ok: true; readonly value: unknown }

/** Its first document; null where it is empty. */
export function readPlain(file: string, text: string): Plain | NotRead {
  const lineAt = lineCounter(text, 1)
  const document: Document = { file, line: 1, text, eventsAgain: remembered(text), lineAt }
  try {
    const events = parseEvents(text, { maxDepth })
    if (events.length === 0) return { ok: true, value: null, lineOf: () => 1 }
    const root = { at: 1, offset: Math.max(0, offsetOf(events[1])) }
    const value = compose(text, events, { at: 1, letters: 'booleans' })
    return { ok: true, value, lineOf: (path) => lineOf(document, root, path) }
  } catch (error) {
    return refusal(document, error)
  }
}

const isScenario = (json: unknown): boolean =>
  isObject(json) &&
  json['kind'] === 'Scenario' &&
  String(json['apiVersion']).startsWith('berth.dev/')

/** Several manifests of one list are asked for lines together: parsed once for all of them. */
function remembered(text: string): () => readonly Event[] {
  let held: WeakRef<readonly Event[]> | undefined
  return () => {
    const events = held?.deref() ?? parseEvents(text, { maxDepth })
    held = new WeakRef(events)
    return events
  }
}

/** The parser promises an exception of its own; any other must not stop the other documents. */
function refusal({ file, line, text }: Document, error: unknown): NotRead {
  if (!(error instanceof YAMLException)) return unreadable(file, line, String(error))
  const offset = error.mark?.position ?? 0
  const end = text.trimEnd().length
  const why = offset < end ? error.reason : `${error.reason}, at the end of the document`
  return unreadable(file, lineCounter(text, line)(Math.min(offset, end)), why)
}

/** kubectl stops reading a document at "..." without a word. */
function notRead({ file, line, text }: Document, events: readonly Event[]): Read[] {
  const next = text.includes('\n...') ? events.findIndex(isSecondDocument) : -1
  if (next < 0) return []
  const offset = Math.max(0, offsetOf(events[next + 1]))
  const why = 'not read, since "..." ends the document: begin the next with ---'
  return [unreadable(file, lineCounter(text, line)(offset), why)]
}

function isSecondDocument(event: Event, at: number): boolean {
  return at > 0 && event.type === EVENT_ID.DOCUMENT
}

/** Counts on from the last place asked for: the items of a long list come in order. */
function lineCounter(text: string, firstLine: number): (offset: number) => number {
  let [known, line] = [0, firstLine]
  return (offset) => {
    if (offset < known) [known, line] = [0, firstLine]
    let next = text.indexOf('\n', known)
    while (next >= 0 && next < offset) {
      known = next + 1
      line++
      next = text.indexOf('\n', known)
    }
    return line
  }
}

type DocumentLines = {
  readonly document: Document
  readonly events: readonly Event[]
  readonly lineAt: (offset: number) => number
}

function objectsAt(place: DocumentLines, spot: Spot, json: unknown): Read[] {
  const { document, events, lineAt } = place
  const source: Source = { file: document.file, line: lineAt(spot.offset) }
  if (!isTyped(json)) return [{ ok: false, unreadable: { source, why: objection(json) } }]
  const { apiVersion, kind, items } = json
  if (!Array.isArray(items) || !kind.endsWith('List')) {
    const manifest = { json, source, lineOf: (path: string) => lineOf(document, spot, path) }
    return [{ ok: true, manifest }]
  }
  const spots = elements(events, locate({ text: document.text, events }, spot, 'items'))
  const type = { apiVersion, kind: kind.slice(0, -'List'.length) }
  return items.flatMap((item, index) => {
    return objectsAt(place, spots[index] ?? spot, isUntyped(item) ? { ...type, ...item } : item)
  })
}

type Typed = Record<string, unknown> & { readonly apiVersion: string; readonly kind: string }

function isTyped(json: unknown): json is Typed {
  if (!isObject(json)) return false
  const { apiVersion, kind } = json
  return isName(apiVersion) && isName(kind)
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** As the API server writes the items of a ServiceList: their type is the list's. */
function isUntyped(item: unknown): item is Record<string, unknown> {
  if (!isObject(item)) return false
  const { apiVersion, kind } = item
  return apiVersion === undefined && kind === undefined
}

const mostQuoted = 40

function objection(json: unknown): string {
  if (!isObject(json)) return `an object is expected, not ${named(json)}`
  const { apiVersion } = json
  const field = isName(apiVersion) ? 'kind' : 'apiVersion'
  const value = json[field]
  if (value === undefined || value === '') return `${field} is missing`
  return `${field} must be text, not ${named(value)}`
}

function named(json: unknown): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'a list'
  if (typeof json === 'object') return 'an object'
  // A file that is no manifest is one long string: nobody asked to have it read out.
  const isLong = typeof json === 'string' && json.length > mostQuoted
  const quoted = isLong ? `${json.slice(0, mostQuoted)}…` : json
  return `the ${typeof json} ${JSON.stringify(quoted)}`
}

function lineOf({ text, lineAt, eventsAgain }: Document, spot: Spot, path: string): number {
  return lineAt(locate({ text, events: eventsAgain() }, spot, path).offset)
}
