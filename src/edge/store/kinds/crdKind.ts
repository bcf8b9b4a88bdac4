// Which kind does a CustomResourceDefinition define? Undefined while it cannot be served.
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { type CrdVersion, readCrd } from '../../kube/schema/crd.ts'
import { completeSchema } from './completeSchema.ts'
import { convertsInProcess } from './convert.ts'
import type { ServedVersion, StoredKind } from './storedKind.ts'
import { versionOrder } from './versionOrder.ts'

export function crdKind(json: JsonObject): StoredKind | undefined {
  const crd = readCrd(json)
  const storage = crd?.versions.find((version) => version.storage)
  if (crd === undefined || storage === undefined || !isEstablished(json)) return undefined
  const spec = new Fields(json, []).inner('spec')
  const names = spec.inner('names')
  // Other versions would need a conversion webhook, and none is called here.
  const isConvertible =
    spec.inner('conversion').text('strategy') !== 'Webhook' || convertsInProcess(crd)
  const versions = crd.versions
    .filter((version) => version.served && (isConvertible || version.storage))
    .sort((one, other) => versionOrder(one.name, other.name))
  return {
    group: crd.group,
    kind: crd.kind,
    listKind: crd.listKind,
    plural: crd.plural,
    singular: crd.singular,
    shortNames: names.texts('shortNames'),
    categories: names.texts('categories'),
    isNamespaced: crd.scope === 'Namespaced',
    isBuiltIn: false,
    storage: storage.name,
    versions: versions.map(servedVersion),
  }
}

function isEstablished(json: JsonObject): boolean {
  const conditions = new Fields(json, []).inner('status').each('conditions')
  return conditions.some(
    (condition) => condition.text('type') === 'Established' && condition.text('status') === 'True',
  )
}

function servedVersion(version: CrdVersion): ServedVersion {
  const { name, schema, hasStatus, columns, deprecationWarning } = version
  return {
    name,
    schema: completeSchema(schema),
    hasStatus,
    columns,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
  }
}
