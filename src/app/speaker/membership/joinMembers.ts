// How do speakers find each other? By their pods, by a list, or not at all: then every Node counts,
// or, on one machine, this one alone.
import { familyOf } from '../../../core/net/ip.ts'
import type { Timing } from '../../../core/session/membership/timing.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'
import type { KeyRing } from '../../../edge/host/sealingKey.ts'
import { followKeys } from '../../../edge/host/sealingKeyFile.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Discovery } from './discovery.ts'
import { EveryNode } from './everyNode.ts'
import { type Members, startMembers } from './members.ts'
import type { MembersDriver, MembersTold } from './membersDriver.ts'
import { ownEndpoint } from './ownEndpoint.ts'
import { podDiscovery } from './podDiscovery.ts'
import { type ListEntry, listDiscovery } from './staticList.ts'

export type JoinOptions = {
  readonly by: 'pods' | 'nodes' | 'alone' | readonly ListEntry[]
  readonly bind: string | undefined
  readonly port: number
  readonly keyFile: string | undefined
  readonly timing: Partial<Timing>
}

const speakerPods = {
  'app.kubernetes.io/name': 'berth',
  'app.kubernetes.io/component': 'speaker',
}

type Join = (parts: MembersTold) => Promise<MembersDriver>

/** Throws where what is asked for cannot be: before anything is started. */
export function membersJoin(options: JoinOptions, node: string): Join {
  const { by, bind, port, timing, keyFile } = options
  if (by === 'alone') {
    return async ({ extend }) => new EveryNode({ nodes: () => [node], extend, timing })
  }
  if (by === 'nodes') {
    const beats = keyFile === undefined || bind === undefined ? undefined : beating(options, node)
    return async (parts) => {
      const { world, extend } = parts
      const nodes = () => world.all('Node').keys()
      return new EveryNode({ nodes, extend, timing, ...(beats && { beside: beats(parts) }) })
    }
  }
  if (keyFile === undefined) {
    throw new Fault('speakers share a key: --members-key-file names the file that holds it')
  }
  const listening = ownEndpoint({ node, bind, port, list: by === 'pods' ? [] : by })
  return async (parts) => {
    const { extend, changed, log } = parts
    const discovery = discoveryOf({ by, node, port, ...listening }, parts)
    let members: Members | undefined
    const keys = await firstKeys(keyFile, parts, (changed) => members?.use(changed))
    const common = { node, ...listening, keys, discovery, timing }
    members = await startMembers({ ...common, changed, extend, log })
    return members
  }
}

/** Heard by others, and hearing nobody. */
function beating(options: JoinOptions, node: string): Join {
  const join = membersJoin({ ...options, by: 'pods' }, node)
  return (parts) => join({ ...parts, extend: () => undefined, changed: () => undefined })
}

type Looking = Pick<JoinOptions, 'port'> & {
  readonly by: 'pods' | readonly ListEntry[]
  readonly node: string
  readonly endpoint: Endpoint
}

function discoveryOf({ by, node, port, endpoint }: Looking, parts: MembersTold): Discovery {
  const { api, clock, random, world } = parts
  if (by !== 'pods') return listDiscovery(by, clock)
  const family = familyOf(endpoint.address)
  const namespace = world.ownNamespace
  const pods = { namespace, node, labels: speakerPods, port, family }
  return podDiscovery({ api, clock, random, ...pods })
}

/** A Secret may be mounted before somebody has put a key into it: that is waited for. */
function firstKeys(
  path: string,
  { log, signal }: MembersTold,
  use: (keys: KeyRing) => void,
): Promise<KeyRing> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Fault('ended before it had a key')), {
      once: true,
    })
    const changed = (keys: KeyRing) => {
      resolve(keys)
      use(keys)
    }
    const failed = (message: string) => log({ level: 'warn', object: path, message })
    void followKeys({ path, changed, failed }, signal)
  })
}
