// Which nodes announce which Services? As their speakers report it, for both protocols.
import type { Key } from '../../../core/model/service.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import {
  decodeServiceStatus,
  ofNode,
  type StatusKind,
} from '../../../edge/kube/decode/decodeServiceStatus.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { listAll } from '../live/listAll.ts'

export type Announcements = {
  /** Of one node, or of all. */
  readonly on: (node?: string) => Promise<ReadonlyMap<Key, readonly string[]>>
}

const statusKinds: readonly StatusKind[] = ['ServiceL2Status', 'ServiceBGPStatus']

/** The nodes of each Service. If the API does not serve the kinds, nothing is announced. */
export function announcementsIn(api: Api, namespace: string, signal: AbortSignal): Announcements {
  return {
    async on(node) {
      const found = new Map<Key, string[]>()
      for (const kind of statusKinds) {
        const selector = node === undefined ? {} : ofNode(node)
        const resource = { ...resourceOf(kind, namespace), selector }
        for (const json of await listAll(api, resource, signal)) {
          const { service, node: by } = decodeServiceStatus(kind, new Fields(json, []))
          found.set(service, [...(found.get(service) ?? []), by])
        }
      }
      return found
    },
  }
}
