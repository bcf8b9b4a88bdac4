// Has a controller seen what the API holds? By its own word, kind for kind, compared with lists.
import type { Api } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import type { Seen } from '../../src/edge/kube/feed/feeds.ts'
import { type KindRow, kinds } from '../../src/edge/kube/kinds.ts'
import type { KubeObject } from './cluster.ts'

type Own = { readonly api: Api; readonly namespace: string }

export async function hasSeenAll(
  { api, namespace }: Own,
  seen: Readonly<Record<string, Seen>>,
): Promise<boolean> {
  const rows = kinds.filter(({ kind }) => kind in seen)
  const are = await Promise.all(
    rows.map(async (row) => {
      const items = await listed(api, row, namespace)
      const { resourceVersion, objects } = seen[row.kind] ?? { resourceVersion: '', objects: 0 }
      const versions = items?.map(({ metadata }) => Number(metadata.resourceVersion)) ?? []
      const isNewest = versions.every((version) => version <= Number(resourceVersion))
      // More than there are: it has not heard of a deletion. Fewer: some cannot be read.
      return items === undefined || (isNewest && objects <= items.length)
    }),
  )
  return are.every((isSeen) => isSeen)
}

/** Undefined where the kind is no longer served. */
async function listed(
  api: Api,
  row: KindRow,
  own: string,
): Promise<readonly KubeObject[] | undefined> {
  const { group, version, plural, scope, labelSelector } = row
  const place = scope === 'ours' ? { namespace: own } : {}
  const query = labelSelector === undefined ? {} : { labelSelector }
  try {
    const path = pathOf({ group, version, plural, ...place })
    const list = (await api.call({ method: 'GET', path, query })) as { items: KubeObject[] }
    return list.items
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}
