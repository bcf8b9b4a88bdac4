// How does MetalLB's DaemonSet stay off the nodes that Berth announces from? By a node affinity,
// with memberlist off, and with pods that are replaced one at a time by us.
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { hasMemberlist, memberlistVariable, type Workload } from '../metallb.ts'
import { announcerLabel, announcerValue } from './nodeProgress.ts'

type Json = Readonly<Record<string, unknown>>

/** What the DaemonSet was like before, to be put back on the way back. */
const beforeAnnotation = 'berth.dev/before-migration'

export const isHeld = ({ object }: Workload): boolean =>
  metaOf(object).annotations[beforeAnnotation] !== undefined

/** Undefined if it is so already. */
export function heldSpeaker(daemonSet: Json, turnsMemberlistOff: boolean): Json | undefined {
  const object = new Fields(daemonSet, [])
  if (metaOf(object).annotations[beforeAnnotation] !== undefined) return undefined
  const [spec, pod] = partsOf(object)
  const before = JSON.stringify({
    updateStrategy: spec.inner('updateStrategy').json,
    affinity: pod.has('affinity') ? pod.inner('affinity').json : null,
    containers: pod.each('containers').map((one) => kept(one)),
  })
  const containers = pod
    .each('containers')
    .map(({ json }) => (turnsMemberlistOff ? withoutMemberlist(json) : json))
  const changedPod = { ...pod.json, affinity: avoiding(pod.inner('affinity')), containers }
  return rebuilt(object, {
    pod: changedPod,
    updateStrategy: { type: 'OnDelete' },
    annotations: { ...metaOf(object).annotations, [beforeAnnotation]: before },
  })
}

/** As before; pods that run are left alone until the strategy is put back as well. */
export function restoredPod(daemonSet: Json): Json | undefined {
  const object = new Fields(daemonSet, [])
  const before = notesOf(object)
  if (before === undefined) return undefined
  const [, pod] = partsOf(object)
  const { affinity: _, ...others } = pod.json
  const were = before.each('containers')
  const containers = pod.each('containers').map((one) => {
    const was = were.find((other) => other.text('name') === one.text('name'))
    return was === undefined ? one.json : { ...one.json, ...was.json }
  })
  const affinity = before.has('affinity') ? { affinity: before.inner('affinity').json } : {}
  const changedPod = { ...others, ...affinity, containers }
  const { annotations } = metaOf(object)
  return rebuilt(object, { pod: changedPod, updateStrategy: { type: 'OnDelete' }, annotations })
}

/** The strategy, once all pods are as the DaemonSet says: then nothing is restarted. */
export function restoredStrategy(daemonSet: Json): Json | undefined {
  const object = new Fields(daemonSet, [])
  const before = notesOf(object)
  if (before === undefined) return undefined
  const [, pod] = partsOf(object)
  const { [beforeAnnotation]: _, ...annotations } = metaOf(object).annotations
  const updateStrategy = before.inner('updateStrategy').json
  return rebuilt(object, { pod: pod.json, updateStrategy, annotations })
}

/** Whether a pod was made before memberlist was turned off or on. */
export function isOutdated(pod: Fields, speaker: Workload): boolean {
  const asWorkload = { ...speaker, object: new Fields({ spec: { template: pod.json } }, []) }
  return hasMemberlist(asWorkload) !== hasMemberlist(speaker)
}

const partsOf = (object: Fields): readonly [Fields, Fields] => {
  const spec = object.inner('spec')
  return [spec, spec.inner('template').inner('spec')]
}

function notesOf(object: Fields): Fields | undefined {
  const text = metaOf(object).annotations[beforeAnnotation]
  if (text === undefined) return undefined
  try {
    return new Fields(JSON.parse(text), [])
  } catch {
    return undefined
  }
}

const kept = (container: Fields): Json => ({
  name: container.text('name'),
  ...(container.has('env') ? { env: container.json['env'] } : {}),
  ...(container.has('args') ? { args: container.json['args'] } : {}),
})

function withoutMemberlist(container: Json): Json {
  const fields = new Fields(container, [])
  const env = fields.each('env').filter((one) => one.text('name') !== memberlistVariable)
  const args = fields.texts('args').filter((one) => !/^--?ml-labels=/.test(one))
  return {
    ...container,
    ...(fields.has('env') ? { env: env.map(({ json }) => json) } : {}),
    ...(fields.has('args') ? { args } : {}),
  }
}

/** Every term is extended: a node has to match only one of them. */
function avoiding(affinity: Fields): Json {
  const nodeAffinity = affinity.inner('nodeAffinity')
  const required = nodeAffinity.inner('requiredDuringSchedulingIgnoredDuringExecution')
  const away = { key: announcerLabel, operator: 'NotIn', values: [announcerValue] }
  const terms = required.each('nodeSelectorTerms')
  const all = terms.length === 0 ? [new Fields({}, [])] : terms
  const nodeSelectorTerms = all.map((term) => ({
    ...term.json,
    matchExpressions: [...term.each('matchExpressions').map(({ json }) => json), away],
  }))
  return {
    ...affinity.json,
    nodeAffinity: {
      ...nodeAffinity.json,
      requiredDuringSchedulingIgnoredDuringExecution: { ...required.json, nodeSelectorTerms },
    },
  }
}

type Change = { readonly pod: Json; readonly updateStrategy: Json; readonly annotations: Json }

function rebuilt(object: Fields, { pod, updateStrategy, annotations }: Change): Json {
  const spec = object.inner('spec')
  const template = { ...spec.inner('template').json, spec: pod }
  const metadata = { ...object.inner('metadata').json, annotations }
  return { ...object.json, metadata, spec: { ...spec.json, template, updateStrategy } }
}
