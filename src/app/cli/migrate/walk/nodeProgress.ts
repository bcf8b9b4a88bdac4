// Who announces from a node? Its label, and the speakers of both that run on it.
import { drainValue, excludeLabel } from '../../../../core/model/node.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import type { Fields } from '../../../../edge/kube/decode/fields.ts'
import { isMetallb } from '../../../../edge/kube/decode/metallbController.ts'

type SpeakerPod = {
  readonly name: string
  readonly uid: string
  /** Ready and not about to end. */
  readonly isReady: boolean
  readonly object: Fields
}
export type NodeProgress = {
  readonly name: string
  /** Berth is to announce from it: MetalLB's speakers keep away. */
  readonly isBerths: boolean
  /** A step was begun here and has not ended. */
  readonly isUnderWay: boolean
  readonly drained: 'no' | 'by-berth' | 'by-others'
  readonly metallb: SpeakerPod | undefined
  readonly berth: SpeakerPod | undefined
}

/** MetalLB's DaemonSet avoids nodes whose label has this value. */
export const announcerLabel = 'berth.dev/announcer'
export const announcerValue = 'berth'
/** On a node while a step drains it; its value says whether to undrain it afterwards. */
export const underWayAnnotation = 'berth.dev/migrating'

export function nodesFrom(nodes: readonly Fields[], pods: readonly Fields[]): NodeProgress[] {
  return nodes
    .map((node): NodeProgress => {
      const { name, labels, annotations } = metaOf(node)
      const here = pods.filter((pod) => pod.inner('spec').text('nodeName') === name)
      const excluded = labels[excludeLabel]
      const drained =
        excluded === undefined ? 'no' : excluded === drainValue ? 'by-berth' : 'by-others'
      return {
        name,
        isBerths: labels[announcerLabel] === announcerValue,
        isUnderWay: annotations[underWayAnnotation] !== undefined,
        drained,
        metallb: newest(here.filter(isMetallbSpeaker)),
        berth: newest(here.filter(isBerthSpeaker)),
      }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** While one is being replaced there are two. */
function newest(pods: readonly Fields[]): SpeakerPod | undefined {
  const [first] = [...pods].sort((one, other) =>
    metaOf(one).createdAt > metaOf(other).createdAt ? -1 : 1,
  )
  if (first === undefined) return undefined
  const { name, uid } = metaOf(first)
  return { name, uid, isReady: isReady(first), object: first }
}

function isReady(pod: Fields): boolean {
  if (pod.inner('metadata').has('deletionTimestamp')) return false
  const conditions = pod.inner('status').each('conditions')
  return conditions.some((one) => one.text('type') === 'Ready' && one.text('status') === 'True')
}

const componentsOf = (pod: Fields): readonly (string | undefined)[] => {
  const { labels } = metaOf(pod)
  return [labels['component'], labels['app.kubernetes.io/component']]
}
const isMetallbSpeaker = (pod: Fields): boolean =>
  isMetallb(pod) && componentsOf(pod).includes('speaker')
const isBerthSpeaker = (pod: Fields): boolean =>
  metaOf(pod).labels['app.kubernetes.io/name'] === 'berth' && componentsOf(pod).includes('speaker')
