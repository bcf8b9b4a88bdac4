// Where is a finding to be mended that concerns a Service which an operator would make? In the
// control plane that asks for it: the Service itself is not there, or is written again.
import { recordAt } from '../../../core/model/json.ts'
import type { LintFinding, LocationOf } from '../../../core/policy/lint/lintFinding.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import type { PlannedServices } from '../../../core/sim/plannedServices.ts'
import { unknownAnnotations } from '../../../edge/kube/annotations.ts'

type Places = {
  readonly planned: PlannedServices
  readonly locationOf: LocationOf
  readonly cluster: Cluster
}

/** The same finding where it does not concern such a Service. */
export function whereAsked(finding: LintFinding, { planned, locationOf, cluster }: Places) {
  const plan = planned.get(finding.object)
  if (plan === undefined || plan.isThere) return finding
  const { by, service } = plan
  const { fix: _, ...rest } = finding
  const field = fieldIn(service.field, finding.field, cluster.get(by))
  const message = `${service.namespace}/${service.name}: ${finding.message}`
  return { ...rest, object: by, field, message, ...locationOf(by, field) }
}

/** The logging operator's annotations have no metadata around them. */
function fieldIn(at: string, field: string, plane: object | undefined): string {
  if (field === '') return at
  const name = field.replace(/^metadata\./, '')
  const isBare = field !== name && !hasMetadata(plane, at)
  if (isBare) return `${at}.${name}`
  return /^spec\.(ports|ipFamilies)/.test(field) ? at : `${at}.${field}`
}

const hasMetadata = (plane: object | undefined, at: string): boolean => {
  const steps = at.split(/\.|\[(\d+)\]/).filter((step) => step !== undefined && step !== '')
  let here: unknown = plane
  for (const step of steps) here = Array.isArray(here) ? here[Number(step)] : recordOf(here)[step]
  return Object.keys(recordAt(here, 'metadata')).length > 0
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => recordAt({ value }, 'value')

/** Annotations that nobody reads, as on a Service that is there. */
export function plannedFindings(planned: PlannedServices, locationOf: LocationOf): LintFinding[] {
  return [...planned.values()].flatMap(({ by, service }) =>
    unknownAnnotations(service.annotations).map(({ key, message }): LintFinding => {
      const field = `${service.field}.metadata.annotations[${key}]`
      return {
        code: 'unknown-annotation',
        severity: 'warning',
        object: by,
        field,
        ...locationOf(by, field),
        message,
        remedy: 'correct or remove the annotation: nothing reads this name',
      }
    }),
  )
}
