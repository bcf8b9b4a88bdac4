// How does MetalLB's DaemonSet stay off the nodes that Berth announces from? By a node affinity,
// with memberlist off, and with pods that are replaced one at a time by us.
import { isDeepStrictEqual } from 'node:util'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { hasMemberlist, memberlistVariable, type Workload } from '../metallb.ts'
import { announcerLabel, announcerValue } from './nodeProgress.ts'

type Json = Readonly<Record<string, unknown>>

/** What the DaemonSet was like before, to be put back on the way back. */
const beforeAnnotation = 'berth.dev/before-migration'

/** Something has to be put back. */
export const isNoted = ({ object }: Workload): boolean => notesOf(object) !== undefined

/** Its pods keep off Berth's nodes, and none is replaced unless we do it. */
export const isHeld = (speaker: Workload): boolean =>
  isNoted(speaker) && heldSpeaker(speaker.object.json, false) === undefined

/**
 * Undefined if it is so already. Whoever applied MetalLB's manifests again since it was noted has
 * written what has to be put back: that is recorded again, part by part.
 */
export function heldSpeaker(daemonSet: Json, turnsMemberlistOff: boolean): Json | undefined {
  const object = new Fields(daemonSet, [])
  const [spec, pod] = partsOf(object)
  const noted = notesOf(object)
  const isOnDelete = spec.inner('updateStrategy').text('type') === 'OnDelete'
  const isAway = avoids(pod.inner('affinity'))
  const containers = pod.each('containers')
  const isQuiet = !turnsMemberlistOff || containers.every(isOff)
  if (noted !== undefined && isOnDelete && isAway && isQuiet) return undefined
  const before = JSON.stringify({
    updateStrategy:
      noted !== undefined && isOnDelete
        ? noted.inner('updateStrategy').json
        : spec.inner('updateStrategy').json,
    affinity: affinityOf(noted !== undefined && isAway ? noted : pod),
    containers: noted !== undefined && isQuiet ? noted.json['containers'] : containers.map(kept),
  })
  const changed = containers.map(({ json }) => (isQuiet ? json : withoutMemberlist(json)))
  const affinity = isAway ? pod.inner('affinity').json : avoiding(pod.inner('affinity'))
  return rebuilt(object, {
    pod: { ...pod.json, affinity, containers: changed },
    updateStrategy: { type: 'OnDelete' },
    annotations: { ...metaOf(object).annotations, [beforeAnnotation]: before },
  })
}

const affinityOf = (pod: Fields): Json | null =>
  pod.has('affinity') ? pod.inner('affinity').json : null

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
    return was === undefined || !isOff(one) ? one.json : { ...one.json, ...was.json }
  })
  // What somebody has written since is what they want.
  const from = avoids(pod.inner('affinity')) ? before : pod
  const affinity = from.has('affinity') ? { affinity: from.inner('affinity').json } : {}
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

const isOff = (container: Fields): boolean =>
  isDeepStrictEqual(withoutMemberlist(container.json), container.json)

const requiredOf = (affinity: Fields): Fields =>
  affinity.inner('nodeAffinity').inner('requiredDuringSchedulingIgnoredDuringExecution')

function avoids(affinity: Fields): boolean {
  const terms = requiredOf(affinity).each('nodeSelectorTerms')
  const isAway = (term: Fields) =>
    term.each('matchExpressions').some((one) => one.text('key') === announcerLabel)
  return terms.length > 0 && terms.every(isAway)
}

/** Every term is extended: a node has to match only one of them. */
function avoiding(affinity: Fields): Json {
  const nodeAffinity = affinity.inner('nodeAffinity')
  const required = requiredOf(affinity)
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
