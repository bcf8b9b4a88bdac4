// Who announces by layer 2, how many Services, and on which interfaces? As the speakers say it.
import type { Api } from '../../../edge/kube/api/client.ts'
import { decodeL2Status, type L2Status } from '../../../edge/kube/decode/decodeL2Status.ts'
import { decodeNodeInterfaces } from '../../../edge/kube/decode/decodeNode.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { listAll } from '../live/listAll.ts'

export type Announcer = {
  readonly node: string
  readonly services: number
  /** In text order. */
  readonly interfaces: readonly string[]
}

const statuses = resourceOf('ServiceL2Status')
const reports = resourceOf('NodeInterfaces')

/** By name. A speaker of ours says what it has also while it announces nothing. */
export async function readAnnouncers(
  api: Api,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Announcer[]> {
  const [said, seen] = await Promise.all([
    listAll(api, { ...statuses, namespace }, signal),
    listAll(api, reports, signal),
  ])
  const all = said.map((json) => decodeL2Status(new Fields(json, [])))
  const usable = new Map<string, readonly string[]>()
  for (const json of seen) {
    const { name: node, interfaces } = decodeNodeInterfaces(new Fields(json, []))
    const up = interfaces.filter(({ hasCarrier }) => hasCarrier).map(({ name }) => name)
    usable.set(node, up)
  }
  return announcersFrom(all, usable)
}

/** A Service that names no interfaces goes out on all that its node can use. */
export function announcersFrom(
  said: readonly L2Status[],
  usable: ReadonlyMap<string, readonly string[]>,
): readonly Announcer[] {
  const nodes = new Set([...usable.keys(), ...said.map(({ node }) => node)])
  return [...nodes].sort().map((node) => {
    const ours = said.filter((status) => status.node === node)
    const isNamed = ours.length > 0 && ours.every(({ interfaces }) => interfaces.length > 0)
    const names = isNamed ? ours.flatMap(({ interfaces }) => interfaces) : usable.get(node)
    return { node, services: ours.length, interfaces: [...new Set(names)].sort() }
  })
}
