// How many of MetalLB's controller ran before the migration? Noted on its Deployment, so that the
// way back starts as many.
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import type { Workload } from '../metallb.ts'
import { change, type Walk } from './walk.ts'

const replicasAnnotation = 'berth.dev/replicas-before-migration'

type Json = Record<string, unknown>

/** With this many replicas, and a note of how many there were if it is stopped. */
export function scaledTo(deployment: Json, replicas: number): Json | undefined {
  const spec = new Fields(deployment['spec'], [])
  const metadata = new Fields(deployment['metadata'], [])
  const before = spec.number('replicas') ?? 1
  if (before === replicas) return undefined
  const annotations = metadata.labels('annotations')
  const noted =
    replicas === 0 ? { ...annotations, [replicasAnnotation]: String(before) } : annotations
  return {
    ...deployment,
    metadata: { ...metadata.json, annotations: noted },
    spec: { ...spec.json, replicas },
  }
}

/** As noted when they were stopped; otherwise as many as its Deployment asks for now. */
export function replicasBefore({ object }: Pick<Workload, 'object'>): number {
  const noted = metaOf(object).annotations[replicasAnnotation]
  return Math.max(1, Number(noted ?? object.inner('spec').number('replicas') ?? 1) || 1)
}

export const forgetReplicas = (walk: Walk, { name, namespace }: Workload): Promise<void> =>
  change(walk, { kind: 'Deployment', name, namespace }, (deployment) => {
    const metadata = new Fields(deployment['metadata'], [])
    const { [replicasAnnotation]: noted, ...annotations } = metadata.labels('annotations')
    if (noted === undefined) return undefined
    return { ...deployment, metadata: { ...metadata.json, annotations } }
  })
