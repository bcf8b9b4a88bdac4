// Which objects of a kind does the API have? Where the kind is not installed there are none.
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { listPages } from '../../../edge/kube/api/listPages.ts'
import { isNotFound } from '../../../edge/kube/api/notFound.ts'
import type { Resource } from '../../../edge/kube/api/resource.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'

export type LiveObject = Readonly<Record<string, unknown>>

const maxTries = 3

export const listAll = async (
  api: Api,
  resource: Resource,
  signal: AbortSignal,
): Promise<LiveObject[]> => (await listInstalled(api, resource, signal)) ?? []

/** Undefined where the kind is not installed. */
export async function listInstalled(
  api: Api,
  resource: Resource,
  signal: AbortSignal,
): Promise<LiveObject[] | undefined> {
  for (let left = maxTries; ; left--) {
    try {
      const objects: LiveObject[] = []
      for await (const { items } of listPages(api, resource, signal)) {
        for (const item of items) if (isRecord(item)) objects.push(withoutManagers(item))
      }
      return objects
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isNotFound(error) && resource.group !== '') return undefined
      // The server no longer knows the moment of the first page: only then is it begun again.
      if (error.code !== 410 || left <= 1) throw error
    }
  }
}

/** Who wrote which field is half of what the API sends, and nothing is decided from it. */
export function withoutManagers(object: LiveObject): LiveObject {
  const { metadata } = object
  if (!isRecord(metadata)) return object
  const { managedFields: _, ...kept } = metadata
  return { ...object, metadata: kept }
}
