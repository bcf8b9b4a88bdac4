// Do the CEL rules of our own definitions hold? There is no CEL here: our few rules are written in
// code and found by their text. Other rules are stored but not checked, and a warning says so.
import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { decodeDuration } from '../../kube/decode/decodeDuration.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import type { Rule, Schema } from '../../kube/schema/schema.ts'
import { jsonText } from '../../kube/schema/schemaMessages.ts'
import { fieldPath, perNode, propertiesOf } from '../../kube/schema/schemaNodes.ts'
import { recordOf } from '../values/jsonRead.ts'
import { sameJson } from '../values/sameJson.ts'

/** A text is an error of the evaluation. */
type Holds = (self: unknown, before: unknown) => boolean | string

const quoted = (type: string): string => `'${type}'`
const types = [quoted('string'), quoted('google.protobuf.Duration')]
const badDuration = `type conversion error from ${types.join(' to ')}`

function ofDuration(holds: (ms: number) => boolean): Holds {
  return (self) => {
    const parsed = decodeDuration(String(self))
    return parsed.ok ? holds(parsed.value) : badDuration
  }
}

const isUnchanged = 'self == oldSelf'
const known: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  [isUnchanged, sameJson],
  [
    'duration(self).getSeconds() >= 1 && duration(self).getSeconds() <= 65535',
    ofDuration((ms) => Math.trunc(ms / 1000) >= 1 && Math.trunc(ms / 1000) <= 65_535),
  ],
  ['duration(self).getMilliseconds() % 1000 == 0', ofDuration((ms) => Math.trunc(ms) % 1000 === 0)],
  [
    '!has(self.serviceSelectors) || self.serviceSelectors.size() == 0 || ' +
      '((!has(self.aggregationLength) || self.aggregationLength == 32) && ' +
      '(!has(self.aggregationLengthV6) || self.aggregationLengthV6 == 128))',
    isWholeWhenSelected,
  ],
])

function isWholeWhenSelected(self: unknown): boolean {
  const spec: JsonObject = recordOf(self)
  const { serviceSelectors: selectors, aggregationLength: v4, aggregationLengthV6: v6 } = spec
  if (!Array.isArray(selectors) || selectors.length === 0) return true
  return (v4 === undefined || v4 === 32) && (v6 === undefined || v6 === 128)
}

const hasRules = perNode((schema): boolean => {
  const inside = [schema.items, schema.additionalProperties, ...propertiesOf(schema).values()]
  const own = schema['x-kubernetes-validations'] ?? []
  return own.length > 0 || inside.some((one) => typeof one === 'object' && hasRules(one))
})

const notChecked: FieldError = {
  path: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
}
const blocking = /^(Unsupported|Required|Too long|Too many)| in body must be of type /

type RuleInput = {
  readonly schema: Schema
  readonly object: JsonObject
  readonly before: JsonObject | undefined
  /** Errors found before: rules are evaluated only if the types are right. */
  readonly errors: readonly FieldError[]
}

export function checkRules({ schema, object, before, errors }: RuleInput): readonly FieldError[] {
  if (!hasRules(schema)) return []
  if (errors.some(({ message }) => blocking.test(message))) return [notChecked]
  return inside(schema, { value: object, before, path: '' })
}

type SchemaLocation = { readonly value: unknown; readonly before: unknown; readonly path: string }

function inside(schema: Schema, place: SchemaLocation): readonly FieldError[] {
  if (!hasRules(schema)) return []
  const { value, before, path } = place
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => broken(rule, place))
  if (Array.isArray(value)) {
    const { items = {} } = schema
    // The old value of an item is known only in lists with keys; none of our rules needs it.
    return [
      ...own,
      ...value.flatMap((item, index) =>
        inside(items, { value: item, before: undefined, path: `${path}[${index}]` }),
      ),
    ]
  }
  if (!isRecord(value)) return own
  const fields = [...propertiesOf(schema)].filter(([name]) => Object.hasOwn(value, name))
  return [
    ...own,
    ...fields.flatMap(([name, field]) =>
      inside(field, {
        value: value[name],
        before: recordOf(before)[name],
        path: fieldPath(path, name),
      }),
    ),
  ]
}

/** A transition rule does not apply to a new object. */
function broken(
  { rule, message }: Rule,
  { value, before, path }: SchemaLocation,
): readonly FieldError[] {
  const holds = known.get(rule)
  if (holds === undefined || (rule === isUnchanged && before === undefined)) return []
  const answer = holds(value, before)
  if (answer === true) return []
  const why = message ?? `failed rule: ${rule}`
  if (answer !== false) {
    const said = `Invalid value: ${jsonText(typeof value)}: ${answer} evaluating rule: ${why}`
    return [{ path, message: said }]
  }
  const shown = isRecord(value) || Array.isArray(value) ? '' : `${jsonText(value)}: `
  return [{ path, message: `Invalid value: ${shown}${why}` }]
}

/** Whether it has rules that are not checked here. */
export function hasUnknownRules(schema: Schema): boolean {
  if (!hasRules(schema)) return false
  const own = schema['x-kubernetes-validations'] ?? []
  if (own.some(({ rule }) => !known.has(rule))) return true
  const parts = [schema.items, schema.additionalProperties, ...propertiesOf(schema).values()]
  return parts.some((one) => typeof one === 'object' && hasUnknownRules(one))
}
