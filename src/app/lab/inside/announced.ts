// Which node announces what? As reported by the speakers, with the addresses of each Service.
import { listPages } from '../../../edge/kube/api/listPages.ts'
import type { Resource } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { apiAt, layer2Statuses, services } from './labApi.ts'
import { grouped, keyOf } from './served.ts'

export type Announced = {
  readonly service: string
  readonly addresses: readonly string[]
  /** Empty if none does; more than one for a moment. */
  readonly nodes: readonly string[]
}

const patienceMs = 5_000

/** Sorted by name. */
export async function announced(kubeconfig: string): Promise<readonly Announced[]> {
  const api = await apiAt(kubeconfig)
  const signal = AbortSignal.timeout(patienceMs)
  const all = async (resource: Resource): Promise<readonly unknown[]> => {
    const found: unknown[] = []
    for await (const { items } of listPages(api, resource, signal)) found.push(...items)
    return found
  }
  try {
    const nodes = grouped(
      (await all(layer2Statuses)).map((json) => new Fields(json, []).inner('status')),
      (status) => `${status.text('serviceNamespace')}/${status.text('serviceName')}`,
    )
    return (await all(services))
      .map((json) => ({ json, key: keyOf(json), object: new Fields(json, []) }))
      .filter(({ object }) => object.inner('spec').text('type') === 'LoadBalancer')
      .map(({ key, object }) => ({
        service: key,
        addresses: addressesOf(object),
        nodes: (nodes.get(key) ?? []).map((status) => status.text('node')).sort(),
      }))
      .sort((one, other) => (one.service < other.service ? -1 : 1))
  } finally {
    api.close()
  }
}

const addressesOf = (service: Fields): string[] =>
  service
    .inner('status')
    .inner('loadBalancer')
    .each('ingress')
    .map((entry) => entry.text('ip'))
