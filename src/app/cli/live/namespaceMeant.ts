// Which namespace may be meant by one in which nothing was found?
import { meant } from '../../../core/model/meant.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { listAll } from './listAll.ts'

/** Told after a sentence about it; nothing where namespaces may not be read. */
export async function namespaceMeant(
  api: Api,
  typed: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const all = await listAll(api, resourceOf('Namespace'), signal)
    const names = all.map((json) => metaOf(new Fields(json, [])).name)
    return names.includes(typed) ? '' : meant(typed, names)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error
    return ''
  }
}
