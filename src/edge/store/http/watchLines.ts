// How is a watch event written? As a line of JSON, made once for all watches of the same form.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import { apiVersionOf } from '../kinds/storedKind.ts'
import type { Change, Stored } from '../storage/stored.ts'
import { withoutColumns } from '../table/tableOf.ts'
import { jsonBytes, jsonOf } from '../values/jsonBytes.ts'
import { partialOf, type Showing, tableJson } from './forms.ts'
import { shownBytes, shownJson } from './shown.ts'
import type { View } from './view.ts'

export type EventType = Change['type']
type State = Pick<Stored, 'revision' | 'bytes'>

/**
 * Each change goes to all watches before the next one, so the last change is all that is cached.
 */
export class LastLines {
  #of: Change | undefined
  #lines = new Map<string, Uint8Array>()

  line(change: Change, key: string, make: () => Uint8Array): Uint8Array {
    if (this.#of !== change) {
      this.#of = change
      this.#lines = new Map()
    }
    const known = this.#lines.get(key)
    if (known !== undefined) return known
    const made = make()
    this.#lines.set(key, made)
    return made
  }
}

/** Writes the lines of one watch; only its first table has columns, as in Kubernetes. */
export class LineWriter {
  readonly #showing: Showing
  readonly #found: RequestedKind
  readonly #view: View
  readonly #last: LastLines
  readonly #key: string
  #hasColumns = false

  constructor(showing: Showing, shown: { found: RequestedKind; view: View }, last: LastLines) {
    this.#showing = showing
    this.#found = shown.found
    this.#view = shown.view
    this.#last = last
    const { form, includeObject } = shown.view
    const shape = form.as === 'object' ? '' : `${form.as} ${form.version} ${includeObject}`
    this.#key = `${shown.found.version.name} ${shape}`
  }

  /** `type` as this watch sees it: an object that no longer matches is DELETED. */
  change(change: Change, type: EventType): Uint8Array {
    const isLost = type === 'DELETED' && change.type !== 'DELETED'
    const key = `${type} ${this.#hasColumns} ${this.#key}`
    const line = this.#last.line(change, key, () =>
      this.#line(type, isLost ? lostState(change) : change.stored),
    )
    this.#hasColumns = true
    return line
  }

  present(stored: Stored): Uint8Array {
    const line = this.#line('ADDED', stored)
    this.#hasColumns = true
    return line
  }

  bookmark(revision: number, annotations?: Readonly<Record<string, string>>): Uint8Array {
    const { kind, version } = this.#found
    const metadata = {
      resourceVersion: String(revision),
      ...(annotations === undefined ? {} : { annotations }),
    }
    const apiVersion = apiVersionOf(kind, version.name)
    const object = this.#shaped({ kind: kind.kind, apiVersion, metadata }, revision)
    this.#hasColumns = true
    return eventLine('BOOKMARK', jsonBytes(object))
  }

  #line(type: EventType, stored: State): Uint8Array {
    if (this.#view.form.as === 'object') return eventLine(type, shownBytes(this.#found, stored))
    const object = this.#shaped(shownJson(this.#found, stored), stored.revision)
    return eventLine(type, jsonBytes(object))
  }

  #shaped(object: JsonObject, revision: number): JsonObject {
    const { form } = this.#view
    if (form.as === 'object') return object
    if (form.as !== 'Table') return partialOf(object, form.version)
    const metadata = { resourceVersion: String(revision) }
    const [found, view] = [this.#found, this.#view]
    const table = tableJson(this.#showing, { found, view, objects: [object], metadata })
    return this.#hasColumns ? withoutColumns(table) : table
  }
}

export function eventLine(type: string, object: Uint8Array): Uint8Array {
  const head = `{"type":"${type}","object":`
  const line = Buffer.allocUnsafe(head.length + object.length + 2)
  line.write(head, 'latin1')
  line.set(object, head.length)
  line.write('}\n', head.length + object.length, 'latin1')
  return line
}

/** The last state that matched, with the revision of the change. */
function lostState({ before, stored, revision }: Change): State {
  if (before === undefined) return stored
  const object = jsonOf(before.bytes)
  const metadata = { ...Object(object['metadata']), resourceVersion: String(revision) }
  return { revision, bytes: jsonBytes({ ...object, metadata }) }
}
