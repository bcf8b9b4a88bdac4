// How do speakers find each other? By their pods, by a list, or not at all: then every Node counts,
// or, on one machine, this one alone.
import type { World } from '../../../core/model/world.ts'
import { familyOf } from '../../../core/net/ip.ts'
import type { Timing } from '../../../core/session/membership/timing.ts'
import type { KeyRing } from '../../../edge/host/sealingKey.ts'
import { followKeys } from '../../../edge/host/sealingKeyFile.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Discovery } from './discovery.ts'
import { EveryNode } from './everyNode.ts'
import { type Members, startMembers } from './members.ts'
import { type Listening, ownEndpoint } from './ownEndpoint.ts'
import { podDiscovery } from './podDiscovery.ts'
import { type ListEntry, listDiscovery } from './staticList.ts'

export type JoinWish = {
  readonly by: 'pods' | 'nodes' | 'alone' | readonly ListEntry[]
  readonly bind: string | undefined
  readonly port: number
  readonly keyFile: string | undefined
  readonly timing: Partial<Timing>
}

export type JoinParts = JoinWish & {
  readonly api: Api
  readonly world: World
  readonly node: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly extend: (untilMs: number) => void
  readonly changed: () => void
  readonly signal: AbortSignal
}

const speakerPods = {
  'app.kubernetes.io/name': 'berth',
  'app.kubernetes.io/component': 'speaker',
}

export async function joinMembers(parts: JoinParts): Promise<Members | EveryNode> {
  const { by, world, node, bind, port, timing, extend, changed, log } = parts
  if (by === 'nodes' || by === 'alone') {
    const nodes = () => (by === 'alone' ? [node] : world.all('Node').keys())
    return new EveryNode({ nodes, extend, timing })
  }
  const list = by === 'pods' ? [] : by
  const listening = ownEndpoint({ node, bind, port, list })
  const discovery = discoveryOf(parts, listening)
  let members: Members | undefined
  const keys = await firstKeys(parts, (changed) => members?.use(changed))
  members = await startMembers({
    node,
    ...listening,
    keys,
    discovery,
    timing,
    changed,
    extend,
    log,
  })
  return members
}

function discoveryOf(parts: JoinParts, { endpoint }: Listening): Discovery {
  const { by, api, clock, random, world, node, port } = parts
  if (typeof by !== 'string') return listDiscovery(by, clock)
  const family = familyOf(endpoint.address)
  const namespace = world.ownNamespace
  const pods = { namespace, node, labels: speakerPods, port, family }
  return podDiscovery({ api, clock, random, ...pods })
}

/** A Secret may be mounted before somebody has put a key into it: that is waited for. */
function firstKeys(
  { keyFile, log, signal }: JoinParts,
  use: (keys: KeyRing) => void,
): Promise<KeyRing> {
  if (keyFile === undefined) {
    throw new Fault('speakers share a key: --members-key-file names the file that holds it')
  }
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Fault('ended before it had a key')), {
      once: true,
    })
    const changed = (keys: KeyRing) => {
      resolve(keys)
      use(keys)
    }
    const failed = (message: string) => log({ level: 'warn', object: keyFile, message })
    void followKeys({ path: keyFile, changed, failed }, signal)
  })
}
