// May this object enter, and as what? Schema, defaults and pruning, the view, then policy's check,
// which is handed in. Whoever writes asks here: API, files and simulator get one answer.
import type {
  BgpMode,
  Check,
  CheckDelete,
  FieldError,
  Foresee,
} from '../../core/model/admission.ts'
import { forbidden } from '../../core/model/fieldError.ts'
import type { Admit, Admitted, Gate, JsonObject, Refused } from '../../core/model/gate.ts'
import { isSame } from '../../core/model/sameView.ts'
import type { View } from '../../core/model/view.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import { type AdmittedKind, admittedKinds } from './admissionKinds.ts'
import { checkMeta, placed } from './admissionMeta.ts'
import { deprecatedAnnotations, unknownAnnotations } from './annotations.ts'
import { completed } from './completed.ts'
import { type Decode, type Decoded, decode as decodeKnown, groupOf } from './decode/decode.ts'
import { metaOf } from './decode/decodeMeta.ts'
import { Fields, isRecord } from './decode/fields.ts'
import { kinds as table } from './kinds.ts'
import { fieldNow, kindNow } from './oldNames.ts'
import type { Crd } from './schema/crd.ts'
import { fieldMeant } from './schema/fieldMeant.ts'
import { type Schema, walkSchema } from './schema/schema.ts'

export type Admission = Gate & { readonly knows: (group: string, kind: string) => boolean }

type AdmissionParts = {
  readonly crds: readonly Crd[]
  readonly check: Check
  /** Of what an API holds already; the same when absent. */
  readonly checkHeld?: Check
  readonly checkDelete: CheckDelete
  /** Where somebody writes to a cluster; nothing is foreseen when absent. */
  readonly foresee?: Foresee
  readonly bgpMode: BgpMode
  /** Of the table of kinds, unless another is given. */
  readonly decode?: Decode
}

export function admission(parts: AdmissionParts): Admission {
  const { crds, check, checkHeld = check, checkDelete, bgpMode, decode = decodeKnown } = parts
  const { foresee = () => [] } = parts
  const kinds = admittedKinds(crds)

  function objectionsTo(world: ReadonlyWorld, { json, decoded, before, by }: Request) {
    if (decoded.kind === 'refused') return decoded.errors
    const misplaced = checkPlace(world, json)
    if (misplaced.length > 0 || decoded.kind !== 'view') return misplaced
    const earlier = before === undefined ? undefined : viewIn(decode(before))
    return by(world, { view: decoded.view, before: earlier, bgpMode })
  }

  const admitBy =
    (by: Check): Admit =>
    (world, json, before) => {
      const shaped = shape(kinds, json)
      if (!shaped.ok) return shaped
      const { unknown, ...admitted } = shaped
      const decoded = decode(shaped.json)
      const isOld = before !== undefined && saysTheSame(before, shaped.json)
      const errors = isOld ? [] : objectionsTo(world, { json: shaped.json, decoded, before, by })
      if (errors.length > 0)
        return { ok: false, isUnreadable: false, errors: [...errors, ...unknown] }
      const view = viewIn(decoded)
      if (view === undefined || isOld) return { ...admitted, view }
      const foreseen = foresee(world, { view, isGone: false })
      return { ...admitted, view, warnings: [...admitted.warnings, ...foreseen] }
    }

  return {
    knows: (group, kind) => kinds.has(`${group}/${kind}`),
    place(json) {
      const known = kindOf(kinds, json)
      return known === undefined ? json : placed(json, known)
    },
    // Only where an API server would ask us.
    admitDelete: (world, view) => (isDeleteChecked(view.kind) ? checkDelete(world, view) : []),
    foresee,
    view: (json) => viewIn(decode(json)),
    admit: admitBy(check),
    held: admitBy(checkHeld),
  }
}

const isDeleteChecked = (kind: string): boolean =>
  table.find((row) => row.kind === kind)?.webhook?.operations.includes('DELETE') === true

type Request = {
  readonly json: JsonObject
  readonly decoded: Decoded
  readonly before: JsonObject | undefined
  readonly by: Check
}
/** A field that its kind does not have is no reason to refuse, but is told beside one. */
type Shaped = Omit<Admitted, 'view'> & { readonly unknown: readonly FieldError[] }

/** Everything that can be said of the object alone, by its schema. */
function shape(kinds: ReadonlyMap<string, AdmittedKind>, json: unknown): Shaped | Refused {
  if (!isRecord(json)) return refuse([{ path: '', message: 'not an object' }])
  const fields = new Fields(json, [])
  const [apiVersion, kind] = [fields.text('apiVersion'), fields.text('kind')]
  const known = kindOf(kinds, json)
  const version = known?.versions.get(apiVersion.slice(apiVersion.indexOf('/') + 1))
  if (known === undefined || version === undefined) {
    const message = `no matches for kind "${kind}" in version "${apiVersion}"`
    return refuse([{ path: '', message: withHint(message, kindNow(kind, apiVersion)) }])
  }
  const walked = walkSchema(version.schema, placed(json, known))
  const unknown = walked.unknownFields.map((path) => ({
    path,
    message: unknownField(path, { kind, schema: version.schema }),
  }))
  if (walked.errors.length > 0 || !isRecord(walked.value)) {
    return refuse([...walked.errors, ...unknown])
  }
  const errors = checkMeta(walked.value, known)
  if (errors.length > 0) return refuse([...errors, ...unknown])
  const warnings = [
    ...(version.deprecationWarning === undefined ? [] : [version.deprecationWarning]),
    ...unknown.map(({ message }) => message),
    ...deprecationsIn(walked.value),
    ...unknownAnnotationsIn(walked.value),
  ]
  return { ok: true, json: completed(walked.value), warnings, unknown }
}

function unknownField(path: string, of: { kind: string; schema: Schema }): string {
  const message = `unknown field ${JSON.stringify(path)}`
  const now = fieldNow(of.kind, path)
  return now === undefined ? `${message}${fieldMeant(of.schema, path)}` : `${message}: ${now}`
}

const withHint = (message: string, hint: string | undefined): string =>
  hint === undefined ? message : `${message}: ${hint}`

function kindOf(kinds: ReadonlyMap<string, AdmittedKind>, json: JsonObject) {
  const fields = new Fields(json, [])
  return kinds.get(`${groupOf(fields.text('apiVersion'))}/${fields.text('kind')}`)
}

const refuse = (errors: readonly FieldError[]): Refused => ({
  ok: false,
  isUnreadable: true,
  errors,
})

function deprecationsIn(json: JsonObject): readonly string[] {
  const object = new Fields(json, [])
  if (object.text('kind') === 'BGPPeer' && object.inner('spec').flag('disableMP') === true) {
    return ['spec.disableMP is deprecated and has no effect']
  }
  if (object.text('kind') !== 'Service') return []
  return deprecatedAnnotations(metaOf(object).annotations).map(
    (key) => `annotation ${key} is deprecated: use metallb.io/${key.slice(key.indexOf('/') + 1)}`,
  )
}

const annotated: readonly string[] = ['Service', 'IPAddressPool', 'NetConfig', 'IPSet']

/** Of kinds whose annotations we read, where a wrong key does nothing; elsewhere text is free. */
function unknownAnnotationsIn(json: JsonObject): readonly string[] {
  const object = new Fields(json, [])
  if (!annotated.includes(object.text('kind'))) return []
  return unknownAnnotations(metaOf(object).annotations).map(({ message }) => message)
}

const viewIn = (decoded: Decoded): View | undefined =>
  decoded.kind === 'view' ? decoded.view : undefined

/** M8.1 rule 35. */
function checkPlace({ ownNamespace }: ReadonlyWorld, json: JsonObject): readonly FieldError[] {
  const object = new Fields(json, [])
  if (groupOf(object.text('apiVersion')) !== 'metallb.io') return []
  if (metaOf(object).namespace === ownNamespace) return []
  const why = `resource must be created in ${ownNamespace} namespace`
  return [forbidden('metadata.namespace', why)]
}

/**
 * Whether only what is not validated differs: status, finalizers, owners. One that could not be
 * made today must still be able to report, and to go.
 */
const saysTheSame = (before: JsonObject, after: JsonObject): boolean =>
  isSame(validated(before), validated(after))

function validated({ metadata, status: _, ...rest }: JsonObject): unknown {
  const { labels, annotations } = isRecord(metadata) ? metadata : {}
  return { ...rest, labels, annotations }
}
