// May the storage version change? Not while objects are stored in another version that only a
// webhook could convert, because fields would be lost.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { convertsInProcess } from '../../kinds/convert.ts'
import type { Transaction } from '../../storage/objects.ts'
import { metaOf, recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { isKeptIn } from '../stored.ts'

type Kept = { readonly group: string; readonly kind: string; readonly storage: string }

export function checkConvertible(
  tx: Transaction,
  object: JsonObject,
  before: JsonObject,
): readonly FieldError[] {
  const kept = keptBy(object)
  const isChanged = kept.storage !== keptBy(before).storage || !needsWebhook(before)
  if (!isChanged || !needsWebhook(object) || convertsInProcess(kept)) return []
  const { items } = tx.list({
    resource: textOf(metaOf(object)['name']),
    matches: (stored) => !isKeptIn(kept, kept.storage, stored),
    limit: 1,
  })
  if (items.length === 0) return []
  const why = 'objects are kept in another version, and conversion webhooks are not called here'
  return [invalid('spec.versions', kept.storage, why)]
}

function keptBy(definition: JsonObject): Kept {
  const { group, names, versions } = recordOf(definition['spec'])
  const storage = recordsOf(versions).find((version) => version['storage'] === true)
  return {
    group: textOf(group),
    kind: textOf(recordOf(names)['kind']),
    storage: textOf(storage?.['name']),
  }
}

const needsWebhook = (definition: JsonObject): boolean =>
  recordOf(recordOf(definition['spec'])['conversion'])['strategy'] === 'Webhook'
