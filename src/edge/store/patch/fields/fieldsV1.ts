// How is a set of fields written in managedFields? As a sorted tree of JSON objects; `.` marks a
// node that is owned itself besides what is below it.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { isRecord } from '../../../kube/decode/fields.ts'
import { type FieldSet, nothing, owned } from './fieldSet.ts'
import { elementOf, elementText, pathBelow, sortedElements } from './pathElement.ts'

/** Elements always have a colon, so none can be mistaken for a property of every object. */
export function encodeFields({ isOwned, under }: FieldSet): JsonObject {
  const json: Record<string, JsonObject> = {}
  if (isOwned && under.size > 0) json['.'] = {}
  for (const element of sortedElements(under.keys())) {
    json[element] = encodeFields(under.get(element) ?? nothing)
  }
  return json
}

/** Undefined if it cannot be read. */
export function decodeFields(json: unknown): FieldSet | undefined {
  const node = json === undefined || json === null ? nothing : decodeNode(json)
  return node && { isOwned: false, under: node.under }
}

function decodeNode(json: unknown): FieldSet | undefined {
  if (!isRecord(json)) return undefined
  const under = new Map<string, FieldSet>()
  for (const [text, inside] of Object.entries(json)) {
    if (text === '.') continue
    const element = elementOf(text)
    // A later version of Kubernetes may have other kinds of elements.
    if (element === null) continue
    const node = decodeNode(inside)
    if (element === undefined || node === undefined) return undefined
    under.set(element, node)
  }
  if (under.size === 0) return owned
  return { isOwned: Object.hasOwn(json, '.'), under }
}

/** The path of each owned field as in messages, each level before what is below it. */
export function pathsOf({ under }: FieldSet, prefix = ''): readonly string[] {
  const nodes = sortedElements(under.keys()).map((element) => ({
    path: pathBelow(prefix, elementText(element)),
    node: under.get(element) ?? nothing,
  }))
  return [
    ...nodes.filter(({ node }) => node.isOwned).map(({ path }) => path),
    ...nodes.flatMap(({ path, node }) => pathsOf(node, path)),
  ]
}
