// Which nodes announce? Reads what the speakers report through the API.
import { type Announcer, announcersFrom } from '../../../core/policy/status/announcers.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { decodeNodeInterfaces } from '../../../edge/kube/decode/decodeNode.ts'
import { decodeServiceStatus } from '../../../edge/kube/decode/decodeServiceStatus.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { listAll } from '../live/listAll.ts'

const statuses = resourceOf('ServiceL2Status')
const reports = resourceOf('NodeInterfaces')

export async function readAnnouncers(
  api: Api,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Announcer[]> {
  const [announced, reported] = await Promise.all([
    listAll(api, { ...statuses, namespace }, signal),
    listAll(api, reports, signal),
  ])
  const usable = new Map<string, readonly string[]>()
  for (const json of reported) {
    const { name: node, interfaces } = decodeNodeInterfaces(new Fields(json, []))
    const up = interfaces.filter(({ hasCarrier }) => hasCarrier).map(({ name }) => name)
    usable.set(node, up)
  }
  return announcersFrom(
    announced.map((json) => {
      const status = decodeServiceStatus('ServiceL2Status', new Fields(json, []))
      return { ...status, interfaces: status.names }
    }),
    usable,
  )
}
