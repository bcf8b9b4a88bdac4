// Which fields of an existing Pod may change? Metadata, images, and little else.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { jsonText } from '../../../kube/schema/schemaMessages.ts'
import { recordOf, recordsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'

export function checkPodUpdate(object: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [recordOf(object['spec']), recordOf(before['spec'])]
  for (const list of ['containers', 'initContainers']) {
    if (recordsOf(spec[list]).length !== recordsOf(old[list]).length) {
      return [forbidden(`spec.${list}`, 'pod updates may not add or remove containers')]
    }
  }
  const kept = new Set(recordsOf(spec['tolerations']).map(textButSeconds))
  const isKept = (one: JsonObject) => kept.has(textButSeconds(one))
  if (!recordsOf(old['tolerations']).every(isKept)) {
    const why = 'existing toleration can not be modified except its tolerationSeconds'
    return [forbidden('spec.tolerations', why)]
  }
  return sameJson(fixedIn(spec), fixedIn(old)) ? [] : [forbidden('spec', onlyThese)]
}

/** Kubernetes appends what was changed. */
const onlyThese =
  'pod updates may not change fields other than ' +
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function fixedIn(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _, tolerations: __, ...fixed } = spec
  return {
    ...fixed,
    containers: recordsOf(spec['containers']).map(withoutImage),
    initContainers: recordsOf(spec['initContainers']).map(withoutImage),
  }
}

const withoutImage = ({ image: _, ...rest }: JsonObject): JsonObject => rest

/** A text, to be looked up: there can be tens of thousands. */
function textButSeconds({ tolerationSeconds: _, ...rest }: JsonObject): string {
  return jsonText(rest)
}
