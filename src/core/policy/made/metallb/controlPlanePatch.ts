// Which fields of an OpenStackControlPlane have to change, so that its Services ask unmodified
// MetalLB for what belongs to their tenant? As operations of a JSON patch.
import type { ControlPlane, PlannedService } from '../../../model/controlPlane.ts'
import type { JsonObject } from '../../../model/gate.ts'
import type { Refusal } from '../../../model/reason.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { rewritten } from './rewritten.ts'

type Replaced = {
  /** namespace/name of the Service. */
  readonly service: string
  readonly field: string
  readonly key: string
  readonly before: string
  readonly after: string
}
export type ControlPlanePatch = {
  readonly replaced: readonly Replaced[]
  readonly refused: readonly { readonly field: string; readonly refusal: Refusal }[]
  /** Those that belong to no tenant, such as one in a namespace that no tenant lists. */
  readonly ofNobody: readonly PlannedService[]
}

export function controlPlanePatch(world: ReadonlyWorld, plane: ControlPlane): ControlPlanePatch {
  const replaced: Replaced[] = []
  const refused: ControlPlanePatch['refused'][number][] = []
  const ofNobody: PlannedService[] = []
  for (const planned of plane.services) {
    const { namespace, name, annotations } = planned
    const service = `${namespace}/${name}`
    const belonging = world.tenantOf({ key: service, namespace })
    const of = belonging.kind === 'tenant' ? belonging.name : ''
    const tenant = world.all('Tenant').get(of)
    if (tenant === undefined) {
      ofNobody.push(planned)
      continue
    }
    const answer = rewritten(world, tenant, annotations)
    const field = annotationsField(planned)
    if (!answer.ok) refused.push({ field, refusal: answer })
    else {
      for (const [key, after] of Object.entries(answer.changes)) {
        replaced.push({ service, field, key, before: annotations[key] ?? '', after })
      }
    }
  }
  return { replaced, refused, ofNobody }
}

/** Logging has no override: its annotations stand beside its port. */
const annotationsField = ({ field }: PlannedService): string =>
  field.endsWith('.logging') ? `${field}.annotations` : `${field}.metadata.annotations`

export const operationOf = ({ field, key, after }: Replaced): JsonObject => ({
  op: 'replace',
  path: [...stepsOf(field), key].map((step) => `/${escaped(step)}`).join(''),
  value: after,
})

/** spec.rabbitmq.templates.rabbitmq.podOverride.services[0] */
const stepsOf = (field: string): readonly string[] => field.replace(/\[(\d+)\]/g, '.$1').split('.')

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')
