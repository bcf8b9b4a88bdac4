// What do the nodes say they announce by BGP? Read through the API.
import type { BgpReport } from '../../../core/policy/status/bgpRoutes.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { decodeServiceStatus } from '../../../edge/kube/decode/decodeServiceStatus.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { listAll } from './listAll.ts'

const kind = 'ServiceBGPStatus'

export async function readBgpReports(
  api: Api,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly BgpReport[]> {
  const objects = await listAll(api, resourceOf(kind, namespace), signal)
  return objects.map((json) => {
    const { node, service, names: peers } = decodeServiceStatus(kind, new Fields(json, []))
    return { node, service, peers }
  })
}
