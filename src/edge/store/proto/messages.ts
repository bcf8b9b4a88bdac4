// Which fields does a message have? Parsed from the tables: `number name type`, by default a
// string. name left out of the JSON when it is empty or zero, as Go's omitempty does name! always
// in the JSON: Go writes its zero value name? in the JSON when it was sent, even if it is empty: a
// pointer in Go ...T a message of its own in protobuf, whose fields JSON has among ours
import { coreTables } from './coreTables.ts'
import { definitionTables } from './definitionTables.ts'
import { groupTables } from './groupTables.ts'
import { podTables } from './podTables.ts'
import { volumeTables } from './volumeTables.ts'

type Presence = 'filled' | 'always' | 'sent' | 'inline'

export type Field = {
  readonly number: number
  /** Its name in JSON; empty for an inline message. */
  readonly name: string
  readonly presence: Presence
  readonly shape: 'one' | 'list' | 'map'
  /** A scalar or the name of a message. */
  readonly type: string
}

export type Message = { readonly name: string; readonly fields: ReadonlyMap<number, Field> }

/** Messages with a JSON form of their own, see wellKnown.ts. */
const wellKnownTables = `
ExtraValue: 1 items string[]
FieldsV1: 1 raw raw
IntOrString: 1 type! int64, 2 intVal! int32, 3 strVal!
JSON: 1 raw raw
JSONSchemaPropsOrArray: 1 schema? JSONSchemaProps, 2 schemas JSONSchemaProps[]
JSONSchemaPropsOrBool: 1 allows! bool, 2 schema? JSONSchemaProps
JSONSchemaPropsOrStringArray: 1 schema? JSONSchemaProps, 2 property string[]
MicroTime: 1 seconds? int64, 2 nanos? int32
Quantity: 1 string?
Time: 1 seconds? int64, 2 nanos? int32
TypeMeta: 1 apiVersion, 2 kind
Unknown: 1 typeMeta! TypeMeta, 2 raw raw, 3 contentEncoding, 4 contentType
`

const kinds: ReadonlyMap<string, string> = new Map([
  ['v1 ConfigMap', 'ConfigMap'],
  ['v1 Event', 'Event'],
  ['v1 Namespace', 'Namespace'],
  ['v1 Node', 'Node'],
  ['v1 Pod', 'Pod'],
  ['v1 Secret', 'Secret'],
  ['v1 Service', 'Service'],
  ['v1 ServiceAccount', 'ServiceAccount'],
  ['apiextensions.k8s.io/v1 CustomResourceDefinition', 'CustomResourceDefinition'],
  ['apps/v1 Deployment', 'Deployment'],
  ['authentication.k8s.io/v1 SelfSubjectReview', 'SelfSubjectReview'],
  ['authentication.k8s.io/v1 TokenRequest', 'TokenRequest'],
  ['authorization.k8s.io/v1 SelfSubjectAccessReview', 'SelfSubjectAccessReview'],
  ['authorization.k8s.io/v1 SelfSubjectRulesReview', 'SelfSubjectRulesReview'],
  ['coordination.k8s.io/v1 Lease', 'Lease'],
  ['discovery.k8s.io/v1 EndpointSlice', 'EndpointSlice'],
  ['events.k8s.io/v1 Event', 'events.Event'],
])

export type TypeMeta = { readonly apiVersion: string; readonly kind: string }

/** Undefined for a kind that clients do not send as protobuf. DeleteOptions are in every group. */
export function messageOfKind({ apiVersion, kind }: TypeMeta): Message | undefined {
  const name = kind === 'DeleteOptions' ? kind : kinds.get(`${apiVersion} ${kind}`)
  return name === undefined ? undefined : messageNamed(name)
}

/** Undefined for a scalar. */
export function messageNamed(name: string): Message | undefined {
  messages ??= parseTables()
  return messages.get(name)
}

let messages: ReadonlyMap<string, Message> | undefined

/** Parsed with the first protobuf body, which is rare. */
function parseTables(): ReadonlyMap<string, Message> {
  const tables = [
    coreTables,
    definitionTables,
    groupTables,
    podTables,
    volumeTables,
    wellKnownTables,
  ]
  const lines = tables.flatMap((table) => table.trim().split(/\n(?! )/))
  return new Map(lines.map(parseMessage).map((message) => [message.name, message]))
}

function parseMessage(line: string): Message {
  const [name = '', fields = ''] = line.split(/:\s+/)
  const parsed = fields.split(/,\s+/).map(parseField)
  return { name, fields: new Map(parsed.map((field) => [field.number, field])) }
}

const marks: Readonly<Record<string, Presence>> = { '!': 'always', '?': 'sent' }

function parseField(text: string): Field {
  const [number = '', said = '', type = 'string'] = text.split(' ')
  const place = { number: Number(number) }
  if (said.startsWith('...')) {
    return { ...place, name: '', presence: 'inline', shape: 'one', type: said.slice(3) }
  }
  const presence = marks[said.slice(-1)] ?? 'filled'
  const name = presence === 'filled' ? said : said.slice(0, -1)
  const field = { ...place, name, presence }
  if (type.endsWith('[]')) return { ...field, shape: 'list', type: type.slice(0, -2) }
  if (type.startsWith('map<')) return { ...field, shape: 'map', type: type.slice(4, -1) }
  return { ...field, shape: 'one', type }
}
