// Which nodes announce which Services? As their speakers report it.
import type { Key } from '../../../core/model/service.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { listPages } from '../../../edge/kube/api/listPages.ts'
import { decodeL2Status, l2StatusLabels } from '../../../edge/kube/decode/decodeL2Status.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

export type Announcements = {
  /** Of one node, or of all. */
  readonly on: (node?: string) => Promise<ReadonlyMap<Key, readonly string[]>>
}

/** The nodes of each Service. If the API does not serve the kind, nothing is announced. */
export function announcementsIn(api: Api, namespace: string, signal: AbortSignal): Announcements {
  const resource = resourceOf('ServiceL2Status', namespace)
  return {
    async on(node) {
      const found = new Map<Key, string[]>()
      const selector = node === undefined ? {} : { labelSelector: `${l2StatusLabels.node}=${node}` }
      try {
        for await (const { items } of listPages(api, { ...resource, selector }, signal)) {
          for (const item of items) {
            const status = decodeL2Status(new Fields(item, []))
            found.set(status.service, [...(found.get(status.service) ?? []), status.node])
          }
        }
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 404)) throw error
      }
      return found
    },
  }
}
