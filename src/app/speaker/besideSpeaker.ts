// Does MetalLB's speaker run on this node? While it runs and is ready, we stay silent: it answers
// for the same addresses, and the two do not coordinate.
import { metaOf } from '../../edge/kube/decode/decodeMeta.ts'
import type { Fields } from '../../edge/kube/decode/fields.ts'
import { isMetallb } from '../../edge/kube/decode/metallbController.ts'
import { type RivalParts, Rivals } from '../../edge/kube/feed/rivals.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

type SpeakerPlace = { readonly namespace: string; readonly node: string }

export function besideSpeaker(parts: RivalParts, { namespace, node }: SpeakerPlace): Rivals {
  const selector = { fieldSelector: `spec.nodeName=${node}` }
  return new Rivals(parts, {
    part: 'speaker',
    places: [{ workloads: { ...resourceOf('Pod', namespace), selector } }],
    isUp: (pod) => isSpeaker(pod) && pod.inner('spec').text('nodeName') === node,
    waitsFor(names) {
      const who = names.map((name) => `Pod ${name}`).join(', ')
      return `MetalLB (${who}) announces on this node: Berth announces nothing here until it stops`
    },
  })
}

function isSpeaker(pod: Fields): boolean {
  const { labels } = metaOf(pod)
  const parts = [labels['component'], labels['app.kubernetes.io/component']]
  return isMetallb(pod) && parts.includes('speaker') && isAnswering(pod)
}

/** One that only hangs in Pending, or that is not ready, would leave every address unanswered. */
function isAnswering(pod: Fields): boolean {
  const status = pod.inner('status')
  const ready = status.each('conditions').find((one) => one.text('type') === 'Ready')
  return status.text('phase') === 'Running' && ready?.text('status') === 'True'
}
