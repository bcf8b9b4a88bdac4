// How is an object of a custom kind written? By the schema of its version.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { completed } from '../../../kube/completed.ts'
import { kinds as rows } from '../../../kube/kinds.ts'
import type { Schema } from '../../../kube/schema/schema.ts'
import { checkValue } from '../../../kube/schema/schemaCheck.ts'
import { checkLists } from '../../../kube/schema/schemaLists.ts'
import { contentOf } from '../../kinds/completeSchema.ts'
import type { RequestedKind } from '../../kinds/kinds.ts'
import { metaOf, recordOf, textsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { changed, withMeta } from '../jsonChange.ts'
import { checkMeta, checkMetaUpdate, type MetaRules } from '../metadata.ts'
import { dnsSubdomain, qualifiedName } from '../names.ts'
import { plainStrategy } from '../plainStrategy.ts'
import { checkRules } from '../rules.ts'
import type { Strategy } from '../strategy.ts'

export function customStrategy({ kind, version }: RequestedKind): Strategy {
  const meta: MetaRules = { isNamespaced: kind.isNamespaced, name: dnsSubdomain, isBuiltIn: false }
  const schema = contentOf(version.schema)
  const { hasStatus } = version
  const isCompleted = rows.some(
    (row) => row.isCompleted && row.group === kind.group && row.kind === kind.kind,
  )
  return plainStrategy(meta, {
    isUnconditional: false,
    prepared(object, before) {
      const kept = hasStatus ? changed(object, { status: before?.['status'] }) : object
      const own = isCompleted ? completed(kept) : kept
      return withMeta(own, { generation: generationOf(own, before) })
    },
    checked: (object, before) => [
      ...(before === undefined ? checkMeta(object, meta) : checkMetaUpdate(object, before, meta)),
      ...checkContent(schema, object, before),
    ],
    preparedStatus: (object, before) =>
      changed(withMeta(before, { managedFields: metaOf(object)['managedFields'] }), {
        status: object['status'],
      }),
    checkedStatus: (object, before) => [
      ...checkMetaUpdate(object, before, meta),
      ...checkStatus(schema, object, before),
    ],
    warned: (object, before) => finalizerWarnings(object, before),
  })
}

function generationOf(object: JsonObject, before: JsonObject | undefined): unknown {
  if (before === undefined) return 1
  const { generation } = metaOf(before)
  const isSame = sameJson({ ...object, metadata: {} }, { ...before, metadata: {} })
  return isSame ? generation : Number(generation ?? 0) + 1
}

function checkContent(
  schema: Schema,
  object: JsonObject,
  before: JsonObject | undefined,
): readonly FieldError[] {
  const found = [...checkValue(schema, object, ''), ...checkLists(schema, object, '')]
  const errors = before === undefined ? found : found.filter(isNew(object, before))
  const all = [...errors, ...checkRules({ schema, object, before, errors })]
  return all.map((error) => (isComposed(error) ? { ...error, path: '<nil>' } : error))
}

/** For errors of a whole value, Kubernetes has the path only in the message. */
const isComposed = ({ message }: FieldError): boolean =>
  /^Invalid value: "": (Checked value must be|"[^"]*" must )/.test(message)

/** Only the part for the status; messages name its fields as if there were nothing else. */
function checkStatus(
  schema: Schema,
  object: JsonObject,
  before: JsonObject,
): readonly FieldError[] {
  const { status } = schema.properties ?? {}
  const [value, old] = [object['status'], before['status']]
  if (status === undefined || value === undefined) return []
  const part: Schema = { type: 'object', properties: { status } }
  const found = checkValue(status, value, '').map((error) => ({
    path: isComposed(error) || error.path === '' ? 'status' : `status.${error.path}`,
    message: error.message,
  }))
  const errors = [...found, ...checkLists(part, { status: value }, '')].filter(
    isNew({ status: value }, { status: old }),
  )
  const input = { schema: part, object: { status: value }, before: { status: old }, errors }
  return [...errors, ...checkRules(input)]
}

/** An error that a later schema introduced does not prevent other changes. */
function isNew(object: JsonObject, before: JsonObject): (error: FieldError) => boolean {
  return ({ path, message }) => {
    const at = pathParts(path)
    const isMissing = message.startsWith('Required value')
    const place = isMissing ? at.slice(0, -1) : at
    return place.length === 0 || !sameJson(valueAt(object, place), valueAt(before, place))
  }
}

const pathParts = (path: string): readonly string[] => path.split(/[.[\]]+/).filter(Boolean)

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) => (Array.isArray(inside) ? inside[Number(name)] : recordOf(inside)[name]),
    value,
  )
}

const ownFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

function finalizerWarnings(object: JsonObject, before: JsonObject | undefined): readonly string[] {
  const old = new Set(before === undefined ? [] : textsOf(metaOf(before)['finalizers']))
  const added = textsOf(metaOf(object)['finalizers']).filter((name) => !old.has(name))
  return [...new Set(added)].sort().flatMap((name) => {
    const said = `metadata.finalizers: "${name}"`
    const wrong = qualifiedName(name).map((why) => `${said}: ${why}`)
    if (name.includes('/') || ownFinalizers.has(name)) return wrong
    const path = name.includes('.') ? ' including a path (/)' : ''
    const why = 'to avoid accidental conflicts with other finalizer writers'
    return [...wrong, `${said}: prefer a domain-qualified finalizer name${path} ${why}`]
  })
}
