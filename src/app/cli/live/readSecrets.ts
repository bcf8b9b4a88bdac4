// Which passwords of BGP peers are there? Never what they are: only that they are there, as what.
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf, typeOf } from '../../../edge/kube/kinds.ts'
import { type LiveObject, withoutManagers } from './listAll.ts'

type SecretsRead = {
  readonly found: readonly LiveObject[]
  /** Of those that a peer names and that may not be read. */
  readonly unreadable: readonly string[]
}

/** Those that a peer could use, one that is yet to come as well, and those that peers do name. */
export async function readSecrets(
  api: Api,
  namespace: string,
  named: readonly string[],
): Promise<SecretsRead> {
  const usable = await passwords(api, namespace)
  const known = new Set(usable.map(nameOf))
  const unreadable: string[] = []
  const others: LiveObject[] = []
  for (const name of named.filter((one) => !known.has(one))) {
    const secret = await readOne(api, namespace, name)
    if (typeof secret === 'string') unreadable.push(secret)
    else if (secret !== undefined) others.push(secret)
  }
  return { found: [...usable, ...others].map(withoutSecrets), unreadable }
}

/** Without the right to list Secrets none is seen, which matters only if a peer names one. */
async function passwords(api: Api, namespace: string): Promise<LiveObject[]> {
  const path = pathOf(resourceOf('Secret', namespace))
  const query = { fieldSelector: 'type=kubernetes.io/basic-auth' }
  try {
    const list = await api.call({ method: 'GET', path, query })
    const items = isRecord(list) && Array.isArray(list['items']) ? list['items'] : []
    return items.filter(isRecord).map((item) => ({ ...typeOf('Secret'), ...item }))
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return []
    throw error
  }
}

/** One that is not there is a problem of the peer that names it; why it cannot be read is text. */
async function readOne(
  api: Api,
  namespace: string,
  name: string,
): Promise<LiveObject | string | undefined> {
  try {
    const json = await api.call({
      method: 'GET',
      path: pathOf(resourceOf('Secret', namespace), name),
    })
    return isRecord(json) ? json : undefined
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.code)) throw error
    return error.code === 404 ? undefined : error.message
  }
}

/** The one that a peer takes its password from. */
export function secretNamedBy({ kind, spec }: LiveObject): string[] {
  if (kind !== 'BGPPeer' || !isRecord(spec)) return []
  const { passwordSecret } = spec
  const name = isRecord(passwordSecret) ? passwordSecret['name'] : undefined
  return typeof name === 'string' && name !== '' ? [name] : []
}

const nameOf = ({ metadata }: LiveObject): string =>
  isRecord(metadata) ? String(metadata['name']) : ''

/** kubectl keeps what was applied, in clear, in an annotation: that goes too. */
function withoutSecrets(secret: LiveObject): LiveObject {
  const { data, stringData: _, metadata, ...rest } = withoutManagers(secret)
  const { annotations: __, ...kept } = isRecord(metadata) ? metadata : {}
  const keys = Object.keys(isRecord(data) ? data : {})
  return { ...rest, metadata: kept, data: Object.fromEntries(keys.map((key) => [key, ''])) }
}
