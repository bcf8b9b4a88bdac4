// How does a process inside the lab reach its API? Through the kubeconfig, without a proxy.
import { existsSync } from 'node:fs'
import type { JsonObject } from '../../../core/model/gate.ts'
import { type Api, newApi } from '../../../edge/kube/api/client.ts'
import { readConnection } from '../../../edge/kube/api/connection.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { yamlOrFault } from '../../../edge/manifests/parseYaml.ts'
import { until } from './waits.ts'

const patienceMs = 60_000

/** Everything starts at once, so this waits for the API to write the kubeconfig. */
export async function apiAt(kubeconfig: string): Promise<Api> {
  const look = () => existsSync(kubeconfig) || undefined
  await until({ what: 'the API', withinMs: patienceMs, look })
  return newApi(await readConnection({ kubeconfig, env: {}, home: '', parseYaml: yamlOrFault }))
}

/** The kinds that the lab itself reads or writes. */
const plurals: Readonly<Record<string, string>> = {
  BFDProfile: 'bfdprofiles',
  BGPAdvertisement: 'bgpadvertisements',
  BGPPeer: 'bgppeers',
  CustomResourceDefinition: 'customresourcedefinitions',
  EndpointSlice: 'endpointslices',
  IPAddressPool: 'ipaddresspools',
  L2Advertisement: 'l2advertisements',
  Namespace: 'namespaces',
  Node: 'nodes',
  Pod: 'pods',
  Service: 'services',
}

export const services = resourceOf('Service')
export const endpointSlices = resourceOf('EndpointSlice')
export const layer2Statuses = resourceOf('ServiceL2Status')

/** Server-side apply: creates or updates the object. */
export async function put(api: Api, json: JsonObject, status?: JsonObject): Promise<void> {
  const object = new Fields(json, [])
  const metadata = object.inner('metadata')
  const [version = '', group = ''] = object.text('apiVersion').split('/').reverse()
  const namespace = metadata.text('namespace')
  const plural = plurals[object.text('kind')] ?? ''
  const resource = { group, version, plural, ...(namespace === '' ? {} : { namespace }) }
  const apply = { fieldManager: 'berth-lab', force: 'true' }
  const contentType = 'application/apply-patch+yaml'
  const path = pathOf(resource, metadata.text('name'))
  await api.call({ method: 'PATCH', path, query: apply, contentType, body: json })
  if (status === undefined) return
  const body = { status }
  const merge = 'application/merge-patch+json'
  await api.call({ method: 'PATCH', path: `${path}/status`, contentType: merge, body })
}
