// Is a definition valid, by itself and as an update? Finds common mistakes, with the words of
// Kubernetes.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid, unsupported } from '../../../kube/schema/schemaMessages.ts'
import { listOf, metaOf, recordOf, recordsOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { dnsLabel1035, dnsSubdomain } from '../names.ts'
import { checkDefaults } from './defaults.ts'
import { checkNames } from './names.ts'
import { checkSchemaRules } from './schemaRules.ts'
import { checkStructural } from './structural.ts'

const required = (path: string, why = ''): FieldError => ({
  path,
  message: why === '' ? 'Required value' : `Required value: ${why}`,
})

export function checkDefinition(
  object: JsonObject,
  before: JsonObject | undefined,
): readonly FieldError[] {
  const spec = recordOf(object['spec'])
  return [
    ...checkGroup(textOf(spec['group'])),
    ...checkOneOf('spec.scope', textOf(spec['scope']), ['Cluster', 'Namespaced']),
    ...checkVersions(spec),
    ...checkNames(recordOf(spec['names'])),
    ...checkColumnsOf(spec),
    ...checkConversion(recordOf(spec['conversion'])),
    ...(before === undefined ? [] : checkFixed(spec, recordOf(before['spec']))),
    ...checkStoredVersions(object),
    ...checkApproval(object),
    ...(spec['preserveUnknownFields'] === true ? [notPreserved] : []),
  ]
}

const notPreserved = invalid(
  'spec.preserveUnknownFields',
  true,
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in ' +
    'spec.versions[*].schema instead',
)

function checkGroup(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')]
  const wrong = dnsSubdomain(group)
  if (wrong.length > 0) return [invalid('spec.group', group, wrong.join(','))]
  if (group.includes('.')) return []
  return [invalid('spec.group', group, 'should be a domain with at least one dot')]
}

function checkOneOf(path: string, value: string, allowed: readonly string[]) {
  if (value === '') return [required(path)]
  return allowed.includes(value) ? [] : [unsupported(path, value, allowed)]
}

const schemaOf = (version: JsonObject): unknown => recordOf(version['schema'])['openAPIV3Schema']

function checkVersions(spec: JsonObject): readonly FieldError[] {
  const versions = recordsOf(spec['versions'])
  const missing = versions.flatMap((version, index) =>
    schemaOf(version) === undefined
      ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)]
      : [],
  )
  const isCommon = isShared(versions, schemaOf)
  const each = versions.flatMap((version, index) => {
    const path = `spec.versions[${index}]`
    const name = textOf(version['name'])
    const wrong = dnsLabel1035(name)
    return [
      ...(wrong.length > 0 ? [invalid(`${path}.name`, name, wrong.join(','))] : []),
      ...checkWarning(version, path),
      ...(isCommon ? [] : checkSchema(schemaOf(version), `${path}.schema.openAPIV3Schema`)),
    ]
  })
  const names = versions.map(({ name }) => name)
  const stored = versions.filter(({ storage }) => storage === true)
  const ofAll = (why: string) => invalid('spec.versions', names, why)
  return [
    ...missing,
    ...each,
    ...(new Set(names).size < names.length ? [ofAll('must contain unique version names')] : []),
    ...(stored.length === 1
      ? []
      : [ofAll('must have exactly one version marked as storage version')]),
    ...(isCommon
      ? checkSchema(schemaOf(versions[0] ?? {}), 'spec.validation.openAPIV3Schema')
      : []),
  ]
}

/** Kubernetes checks what all versions have in common once, under a path of its internal type. */
function isShared(versions: readonly JsonObject[], part: (version: JsonObject) => unknown) {
  const [first] = versions
  if (first === undefined || part(first) === undefined) return false
  return versions.every((version) => sameJson(part(version), part(first)))
}

function checkWarning(version: JsonObject, path: string): readonly FieldError[] {
  const { deprecated, deprecationWarning: text } = version
  if (text === undefined) return []
  const at = `${path}.deprecationWarning`
  if (deprecated !== true) return [invalid(at, text, 'can only be set for deprecated versions')]
  if (text === '') return [invalid(at, text, 'must not be an empty string')]
  const isLong = Buffer.byteLength(textOf(text)) > 256
  return isLong ? [invalid(at, text, 'must be <= 256 characters long')] : []
}

/** Defaults can be checked only if the schema is valid. */
function checkSchema(schema: unknown, path: string): readonly FieldError[] {
  const root = recordOf(schema)
  if (schema === undefined) return []
  const nullable = root['nullable'] === true
  const errors = [
    ...(nullable ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...checkStructural(root, path),
    ...checkSchemaRules(root, path),
  ]
  return errors.length > 0 ? errors : checkDefaults(root, path)
}

function checkColumnsOf(spec: JsonObject): readonly FieldError[] {
  const versions = recordsOf(spec['versions'])
  const columnsOf = (version: JsonObject) => version['additionalPrinterColumns']
  if (isShared(versions, columnsOf)) {
    return checkColumns(columnsOf(versions[0] ?? {}), 'spec.additionalPrinterColumns')
  }
  return versions.flatMap((version, index) =>
    checkColumns(columnsOf(version), `spec.versions[${index}].additionalPrinterColumns`),
  )
}

const columnTypes = 'boolean,date,integer,number,string'

function checkColumns(columns: unknown, path: string): readonly FieldError[] {
  return recordsOf(columns).flatMap((column, index) => {
    const at = `${path}[${index}]`
    const [type, jsonPath] = [textOf(column['type']), textOf(column['jsonPath'])]
    const why = `must be one of ${columnTypes}`
    const isPath = jsonPath.startsWith('.')
    return [
      ...(textOf(column['name']) === '' ? [required(`${at}.name`)] : []),
      ...(type === '' ? [required(`${at}.type`, why)] : []),
      ...(type === '' || columnTypes.split(',').includes(type)
        ? []
        : [invalid(`${at}.type`, type, why)]),
      ...(jsonPath === '' ? [required(`${at}.JSONPath`)] : []),
      ...(jsonPath === '' || isPath
        ? []
        : [invalid(`${at}.JSONPath`, jsonPath, 'must be a simple json path starting with .')]),
    ]
  })
}

function checkConversion(conversion: JsonObject): readonly FieldError[] {
  const { strategy, webhook } = conversion
  const path = 'spec.conversion'
  const known = checkOneOf(`${path}.strategy`, textOf(strategy), ['None', 'Webhook'])
  const { clientConfig, conversionReviewVersions: versions } = recordOf(webhook)
  const config = recordOf(clientConfig)
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook'
    return [
      ...known,
      ...(clientConfig === undefined ? [] : [forbidden(`${path}.webhookClientConfig`, why)]),
    ]
  }
  const at = `${path}.webhookClientConfig`
  const isOne = (config['url'] === undefined) !== (config['service'] === undefined)
  return [
    ...known,
    ...(clientConfig === undefined
      ? [required(at, 'required when strategy is set to Webhook')]
      : []),
    ...(clientConfig === undefined || isOne
      ? []
      : [required(at, 'exactly one of url or service is required')]),
    ...(listOf(versions).length === 0 ? [required(`${path}.conversionReviewVersions`)] : []),
  ]
}

/** The group and names, which identify its objects in storage. */
function checkFixed(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const [names, oldNames] = [recordOf(spec['names']), recordOf(old['names'])]
  const fixed: readonly (readonly [string, unknown, unknown])[] = [
    ['spec.scope', spec['scope'], old['scope']],
    ['spec.names.kind', names['kind'], oldNames['kind']],
    ['spec.group', spec['group'], old['group']],
    ['spec.names.plural', names['plural'], oldNames['plural']],
  ]
  return fixed
    .filter(([, now, then]) => now !== then)
    .map(([path, now]) => invalid(path, now ?? '', 'field is immutable'))
}

function checkStoredVersions(object: JsonObject): readonly FieldError[] {
  const path = 'status.storedVersions'
  const stored = textsOf(recordOf(object['status'])['storedVersions'])
  const names = recordsOf(recordOf(object['spec'])['versions']).map(({ name }) => textOf(name))
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')]
  return stored.flatMap((name, index) => {
    if (names.includes(name)) return []
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in ` +
      'spec.versions until a storage migration ensures no data remains persisted in ' +
      `${name} and removes ${name} from status.storedVersions`
    return [invalid(`${path}[${index}]`, name, why)]
  })
}

const approval = 'api-approved.kubernetes.io'

function checkApproval(object: JsonObject): readonly FieldError[] {
  const group = textOf(recordOf(object['spec'])['group'])
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return []
  if (recordOf(metaOf(object)['annotations'])[approval] !== undefined) return []
  const why = `protected groups must have approval annotation "${approval}"`
  const where = 'see https://github.com/kubernetes/enhancements/pull/1111'
  return [required(`metadata.annotations[${approval}]`, `${why}, ${where}`)]
}
