// What is announced, and from which pools? A list that cannot be read is not an empty one.
import type { ReadonlyWorld } from '../../../../core/model/world.ts'
import { loadLive } from '../../live/loadLive.ts'
import { newSession } from '../../load.ts'
import { Stopped, type Walk } from './walk.ts'

export async function liveWorld({ api, io, namespace }: Walk): Promise<ReadonlyWorld> {
  const session = await newSession(io, { ownNamespace: namespace, loadBalancerClass: '' })
  const { unreadable } = await loadLive(session, api)
  // What a peer's password is matters to no step.
  const [first] = unreadable.map(({ why }) => why).filter((why) => !why.includes('/secrets'))
  if (first !== undefined) throw new Stopped(`what is announced here cannot be read: ${first}`)
  return session.cluster.world
}
