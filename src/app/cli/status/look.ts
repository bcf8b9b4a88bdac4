// Which objects of a kind are there to look at? As fields, in one namespace or all.
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { type KindName, resourceOf } from '../../../edge/kube/kinds.ts'
import { listAll } from '../live/listAll.ts'

export type Look = {
  readonly api: Api
  /** Of the pools, the Lease and the programs. */
  readonly namespace: string
  readonly signal: AbortSignal
}

export const fieldsOf = async (
  { api, signal }: Look,
  kind: KindName,
  namespace?: string,
): Promise<readonly Fields[]> =>
  (await listAll(api, resourceOf(kind, namespace), signal)).map((json) => new Fields(json, []))
