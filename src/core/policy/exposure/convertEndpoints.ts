// How is the older way to expose a service written today? `externalEndpoints` becomes
// `override.service` (O3.1, O3.2); a misspelt list of attachments gets its name.
import type { FieldError } from '../../model/admission.ts'
import { invalid, required } from '../../model/fieldError.ts'
import { isRecord, type Json, recordAt, textAt, textsAt } from '../../model/json.ts'

type Converted = {
  readonly object: Json
  /** What was rewritten, in the order of the object. */
  readonly fields: readonly string[]
  readonly errors: readonly FieldError[]
}

const endpoints = ['internal', 'public']
const renamed = { from: 'networkAttachents', to: 'networkAttachments' } as const

/** Everything else stays as it is, and in its place. */
export function convertEndpoints(object: Json): Converted {
  const [fields, errors]: [string[], FieldError[]] = [[], []]
  const spec = convert(object['spec'], 'spec', { fields, errors })
  return { object: 'spec' in object ? { ...object, spec } : object, fields, errors }
}

type Notes = { readonly fields: string[]; readonly errors: FieldError[] }

function convert(value: unknown, path: string, notes: Notes): unknown {
  if (Array.isArray(value)) {
    return value.map((item, at) => convert(item, `${path}[${at}]`, notes))
  }
  if (!isRecord(value)) return value
  const result: Json = {}
  for (const [name, inner] of Object.entries(value)) {
    const at = `${path}.${name}`
    if (name === renamed.from) put(result, renamed.to, { value, inner, at, notes })
    else if (name === 'externalEndpoints') many(result, { value, inner, at, notes })
    else if (name === 'externalEndpoint') single(result, { value, inner, at, notes })
    // The override may stand after what is merged into it.
    else if (name === 'override') result[name] = joined(convert(inner, at, notes), result[name])
    else result[name] = convert(inner, at, notes)
  }
  return result
}

/** An empty override says nothing. */
const joined = (written: unknown, made: unknown): unknown => {
  if (!isRecord(made)) return written
  const service = { ...recordAt(written, 'service'), ...recordAt(made, 'service') }
  return { ...(isRecord(written) ? written : {}), service }
}

type OverrideValue = {
  /** The object that it stands in. */
  readonly value: Json
  readonly inner: unknown
  readonly at: string
  readonly notes: Notes
}

function put(result: Json, name: string, { value, inner, at, notes }: OverrideValue): void {
  if (name in value) notes.errors.push(invalid(at, renamed.from, `${name} is there as well`))
  result[name] = inner
  notes.fields.push(at)
}

function many(result: Json, { value, inner, at, notes }: OverrideValue): void {
  const written = recordAt(recordAt(value, 'override'), 'service')
  const service: Json = {}
  for (const [index, item] of (Array.isArray(inner) ? inner : []).entries()) {
    const place = `${at}[${index}]`
    const endpoint = textAt(item, 'endpoint')
    if (!endpoints.includes(endpoint)) {
      notes.errors.push(invalid(`${place}.endpoint`, endpoint, 'must be internal or public'))
    } else if (endpoint in written || endpoint in service) {
      const why = `override.service.${endpoint} is there as well: keep one of them`
      notes.errors.push(invalid(`${place}.endpoint`, endpoint, why))
    } else service[endpoint] = overrideOf(item, place, notes)
  }
  merge(result, service, { value, inner, at, notes })
}

function single(result: Json, { value, inner, at, notes }: OverrideValue): void {
  if ('service' in recordAt(value, 'override')) {
    const why = 'override.service is there as well: keep one of them'
    notes.errors.push({ path: at, message: `Invalid value: ${why}` })
  }
  merge(result, overrideOf(inner, at, notes), { value, inner, at, notes })
}

function merge(result: Json, service: Json, { value, at, notes }: OverrideValue): void {
  const { override: written = null } = value
  if (written !== null && !isRecord(written)) {
    const why = 'the override beside it is not an object: write override.service'
    notes.errors.push({ path: at, message: `Invalid value: ${why}` })
  }
  result['override'] = joined(written, { service })
  notes.fields.push(at)
}

/** The operator itself adds the name that DNS servers answer for. */
function overrideOf(item: unknown, path: string, { errors }: Notes): Json {
  const pool = textAt(item, 'ipAddressPool')
  if (pool === '') errors.push(required(`${path}.ipAddressPool`, 'name the pool of the address'))
  const addresses = textsAt(item, 'loadBalancerIPs')
  const isShared = !isRecord(item) || item['sharedIP'] !== false
  const annotations = {
    'metallb.universe.tf/address-pool': pool,
    ...(isShared
      ? { 'metallb.universe.tf/allow-shared-ip': textAt(item, 'sharedIPKey') || pool }
      : {}),
    ...(addresses.length === 0
      ? {}
      : { 'metallb.universe.tf/loadBalancerIPs': addresses.join(',') }),
  }
  return { metadata: { annotations }, spec: { type: 'LoadBalancer' } }
}
