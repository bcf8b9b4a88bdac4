// Which objects do the stand-in annotations mean (FORMAT.md)? They spare a scenario or a folder of
// manifests its EndpointSlices and NodeInterfaces; no policy or daemon reads them.
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import { type Json, recordAt, textAt } from '../model/json.ts'
import { isService } from './objects.ts'

export type StandIn = { readonly name: string; readonly json: Json | undefined }

/** The object that stands beside this one; without json there is none, and an earlier one goes. */
export function standInOf(json: Json, ifNoneIsSaid = ''): StandIn | undefined {
  const metadata = recordAt(json, 'metadata')
  const annotations = recordAt(metadata, 'annotations')
  if (isService(json)) {
    return endpointSlice(metadata, annotations)
  }
  return json['kind'] === 'Node' ? nodeInterfaces(metadata, annotations, ifNoneIsSaid) : undefined
}

function endpointSlice(metadata: Json, annotations: Json): StandIn {
  const service = textAt(metadata, 'name')
  const name = `${service}-endpoints`
  const written = annotations['berth.dev/endpoints']
  if (typeof written !== 'string') return { name, json: undefined }
  const endpoints = list(written).map((nodeName) => ({
    addresses: [],
    conditions: { ready: true },
    nodeName,
  }))
  const labels = { 'kubernetes.io/service-name': service }
  return {
    name,
    json: {
      apiVersion: apiVersionOf(apiGroups.discovery),
      kind: 'EndpointSlice',
      metadata: { name, namespace: textAt(metadata, 'namespace'), labels },
      addressType: 'IPv4',
      endpoints,
    },
  }
}

/** Where nothing is said of a node's interfaces they are unknown; in a scenario, the usual one. */
function nodeInterfaces(metadata: Json, annotations: Json, ifNoneIsSaid: string): StandIn {
  const name = textAt(metadata, 'name')
  const addresses = list(textAt(annotations, 'berth.dev/interface-addresses'))
    .map((pair) => pair.split('='))
    .map(([on = '', address = '']) => ({ on, address }))
  const listed = list(textAt(annotations, 'berth.dev/interfaces'))
  const names = new Set([...listed, ...addresses.map(({ on }) => on)])
  if (names.size === 0 && ifNoneIsSaid === '') return { name, json: undefined }
  if (names.size === 0) names.add(ifNoneIsSaid)
  const interfaces = [...names].map((on) => ({
    name: on,
    carrier: true,
    addresses: addresses.filter((one) => one.on === on).map(({ address }) => address),
  }))
  const spec = { interfaces }
  return {
    name,
    json: {
      apiVersion: apiVersionOf(apiGroups.berth),
      kind: 'NodeInterfaces',
      metadata: { name },
      spec,
    },
  }
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
