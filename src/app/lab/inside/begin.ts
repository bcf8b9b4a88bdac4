// How does a lab's API get its initial objects? They are created once it answers; then the first
// Service must get an address.

import type { JsonObject } from '../../../core/model/gate.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Machine } from '../machine.ts'
import { apiAt, put, services } from './labApi.ts'
import { firstService, labObjects } from './labObjects.ts'
import { until } from './waits.ts'

type BeginOptions = {
  readonly nodes: readonly Machine[]
  /** Those that speak BGP. */
  readonly routers: readonly Machine[]
  readonly hasBfd: boolean
  readonly kubeconfig: string
  readonly ownNamespace: string
  /** Definitions that the engine does not include. */
  readonly definitions: readonly JsonObject[]
}

const patienceMs = 60_000

/** Waits until the API answers. */
export async function readyAt(kubeconfig: string): Promise<Api> {
  const api = await apiAt(kubeconfig)
  const look = () => api.call({ method: 'GET', path: '/version' })
  await until({ what: 'the API', withinMs: patienceMs, look })
  return api
}

/** Returns the addresses of the first Service. */
export async function begin(options: BeginOptions): Promise<readonly string[]> {
  const { kubeconfig, definitions } = options
  const api = await readyAt(kubeconfig)
  try {
    for (const json of definitions) await put(api, json)
    for (const { json, status } of labObjects(options)) {
      // A definition is served a moment after it is accepted.
      const withinMs = 10_000
      await until({ what: `${json['kind']}`, withinMs, look: () => done(put(api, json, status)) })
    }
    return await until({
      what: 'an address for the first Service',
      withinMs: patienceMs,
      look: () => firstAddresses(api),
    })
  } finally {
    api.close()
  }
}

const done = async (work: Promise<void>): Promise<true> => {
  await work
  return true
}

async function firstAddresses(api: Api): Promise<readonly string[] | undefined> {
  const { namespace, name } = firstService
  const path = pathOf({ ...services, namespace }, name)
  const json = await api.call({ method: 'GET', path })
  const status = new Fields(json, []).inner('status')
  const ips = status
    .inner('loadBalancer')
    .each('ingress')
    .map((entry) => entry.text('ip'))
  return ips.length > 0 ? ips : undefined
}
