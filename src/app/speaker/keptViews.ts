// What does a speaker keep of what it is told? Services that are its to announce, which are few of
// those in a cluster, and of them not what they ask for: others decide that.
import type { World } from '../../core/model/world.ts'
import type { Sink } from '../../edge/kube/feed/judged.ts'

const unasked = {
  asksPool: '',
  asksByAnnotation: '',
  asksByField: '',
  recordedPool: '',
  addressed: undefined,
} as const

export const onlyAnnounced = (world: Pick<World, 'isOurs'>, sink: Sink): Sink => ({
  ...sink,
  put(view) {
    if (view.kind !== 'Service') sink.put(view)
    else if (world.isOurs(view)) sink.put({ ...view, ...unasked })
    else sink.drop(view.kind, view.key)
  },
})
