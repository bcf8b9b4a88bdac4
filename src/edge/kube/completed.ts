// What is filled in before an object is judged, beyond the defaults of its schema? What upstream's
// mutating webhooks fill in, in files, in the embedded API and in ours.
import type { JsonObject } from '../../core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../core/model/json.ts'

/** The same object where there is nothing to fill in. */
export function completed(json: JsonObject): JsonObject {
  const complete = completions.get(textAt(json, 'kind'))
  const spec = complete?.(json)
  return spec === undefined ? json : { ...json, spec: { ...recordAt(json, 'spec'), ...spec } }
}

const completions: ReadonlyMap<string, (json: JsonObject) => JsonObject | undefined> = new Map([
  ['NetConfig', withServiceNetworks],
  ['DNSMasq', withLocalDomain],
])

/** A network that does not say how services call it is called by its name in lower case. */
function withServiceNetworks(json: JsonObject): JsonObject | undefined {
  const { networks } = recordAt(json, 'spec')
  if (!Array.isArray(networks) || networks.every(isNamed)) return undefined
  return { networks: networks.map(named) }
}

const isNamed = (network: unknown): boolean =>
  textAt(network, 'serviceNetwork') !== '' || textAt(network, 'name') === ''

const named = (network: unknown): unknown =>
  isRecord(network) && !isNamed(network)
    ? { ...network, serviceNetwork: textAt(network, 'name').toLowerCase() }
    : network

/** Names of the namespace's own Services are not asked of other servers. */
function withLocalDomain(json: JsonObject): JsonObject | undefined {
  const { options } = recordAt(json, 'spec')
  const given = Array.isArray(options) ? options : []
  if (given.some((option) => textAt(option, 'key') === 'local')) return undefined
  const namespace = textAt(recordAt(json, 'metadata'), 'namespace')
  return { options: [...given, { key: 'local', values: [`/${namespace}.svc/`] }] }
}
