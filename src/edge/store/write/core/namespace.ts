// How is a namespace written? A new one is Active, and a finalizer holds it until it is empty.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { changed, withMeta, withSpec } from '../jsonChange.ts'
import { checkMetaUpdate, type MetaRules } from '../metadata.ts'
import { dnsLabel } from '../names.ts'
import { inCluster, plainStrategy } from '../plainStrategy.ts'
import type { Strategy } from '../strategy.ts'

const meta: MetaRules = { ...inCluster, name: dnsLabel }
const ownFinalizer = 'kubernetes'

export const namespace: Strategy = plainStrategy(meta, {
  returnsDeleted: true,
  defaulted: withNameLabel,
  prepared(object, before) {
    if (before !== undefined) {
      const { finalizers } = recordOf(before['spec'])
      return changed(withSpec(object, { finalizers }), { status: before['status'] })
    }
    const given = textsOf(recordOf(object['spec'])['finalizers'])
    const finalizers = given.includes(ownFinalizer) ? given : [...given, ownFinalizer]
    // A generated name was not yet known when defaults were set.
    const named = withNameLabel(withSpec(object, { finalizers }))
    return { ...named, status: { phase: 'Active' } }
  },
  checkedStatus(object, before) {
    const isGoing = metaOf(object)['deletionTimestamp'] !== undefined
    const phase = recordOf(object['status'])['phase'] ?? ''
    const wanted = isGoing ? 'Terminating' : 'Active'
    const errors = checkMetaUpdate(object, before, meta)
    if (phase === wanted) return errors
    const why = `may only be '${wanted}' if \`deletionTimestamp\` is ${isGoing ? 'not ' : ''}empty`
    return [...errors, invalid('status.Phase', phase, why)]
  },
  fields: (object) => ({ 'status.phase': textOf(recordOf(object['status'])['phase']) }),
})

/** Lets selectors match namespaces by name. */
function withNameLabel(object: JsonObject): JsonObject {
  const { name, labels } = metaOf(object)
  if (textOf(name) === '') return object
  return withMeta(object, {
    labels: { ...recordOf(labels), 'kubernetes.io/metadata.name': name },
  })
}
