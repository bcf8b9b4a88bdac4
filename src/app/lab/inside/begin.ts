// How does a lab's API come to hold what belongs there? Once it answers; then the first Service is
// waited for.

import type { JsonObject } from '../../../core/model/gate.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Place } from '../place.ts'
import { apiAt, put, services } from './labApi.ts'
import { firstService, labObjects } from './labObjects.ts'
import { until } from './waits.ts'

export type BeginWish = {
  readonly nodes: readonly Place[]
  /** Those that speak BGP. */
  readonly routers: readonly Place[]
  readonly kubeconfig: string
  readonly ownNamespace: string
  /** What the engine does not have by itself. */
  readonly definitions: readonly JsonObject[]
}

const patienceMs = 60_000

/** Until it answers as an API does. */
export async function readyAt(kubeconfig: string): Promise<Api> {
  const api = await apiAt(kubeconfig)
  const look = () => api.call({ method: 'GET', path: '/version' })
  await until({ what: 'an API that is ready', withinMs: patienceMs, look })
  return api
}

/** The addresses of the first Service. */
export async function begin(wish: BeginWish): Promise<readonly string[]> {
  const { kubeconfig, definitions } = wish
  const api = await readyAt(kubeconfig)
  try {
    for (const json of definitions) await put(api, json)
    for (const { json, status } of labObjects(wish)) {
      // A definition is served a moment after it was taken.
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
