// What does a speaker keep of the API objects it receives? Only the Services it may announce, a
// small part of a cluster's, and without what they request and how old they are: the controller
// decides by that.
import type { World } from '../../core/model/world.ts'
import type { Sink } from '../../edge/kube/feed/validatedSink.ts'

const unasked = {
  createdAt: '',
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
