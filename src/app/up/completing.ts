// What is added to a Pod before the embedded API makes it? What a webhook adds on a cluster.
import type { Complete } from '../../core/model/completion.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import { recordAt } from '../../core/model/json.ts'
import { rowOf } from '../../edge/kube/kinds.ts'
import type { Writes } from '../../edge/store/http/backend.ts'
import { refused } from '../../edge/store/values/status.ts'
import type { Writes as Writing } from '../../edge/store/write/writes.ts'

export function completing(writes: Writing, complete: Complete): Writes {
  const { group, kind } = rowOf('Pod')
  return {
    async create(place, sent, options) {
      const { found, namespace } = place
      const { object } = sent
      const isPod = found.kind.group === group && found.kind.kind === kind
      if (!isPod || !isOfSet(object)) return writes.create(place, sent, options)
      const done = await complete({
        namespace,
        object,
        isDryRun: options.isDryRun,
        isVouchedFor: true,
      })
      if (!done.ok) return refusedFor(done.why)
      const metadata = recordAt(object, 'metadata')
      const annotations = { ...recordAt(metadata, 'annotations'), ...done.annotations }
      const isChanged = Object.keys(done.annotations).length > 0
      const completed = isChanged
        ? { ...sent, object: { ...object, metadata: { ...metadata, annotations } } }
        : sent
      const written = await writes.create(place, completed, options)
      if (!written.ok || done.warnings.length === 0) return written
      const warnings = [...done.warnings, ...written.value.warnings]
      return { ...written, value: { ...written.value, warnings } }
    },
    replace: (...args) => writes.replace(...args),
    patch: (...args) => writes.patch(...args),
    delete: (...args) => writes.delete(...args),
    deleteCollection: (...args) => writes.deleteCollection(...args),
  }
}

/** As in the objectSelector of the webhook: no other pod waits for us. */
const isOfSet = (object: JsonObject): boolean =>
  recordAt(recordAt(object, 'metadata'), 'labels')['statefulset.kubernetes.io/pod-name'] !==
  undefined

/** As the API server tells of a webhook that refuses. */
const refusedFor = (why: string) =>
  refused({
    code: 403,
    reason: 'Forbidden',
    message: `admission webhook "podcompletionwebhook.berth.dev" denied the request: ${why}`,
  })
