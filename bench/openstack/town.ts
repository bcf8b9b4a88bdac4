// What is on the server? A namespace of OpenStack with five networks, and hosts that ask for an address
// on each of them.
import { systemClock } from '../../src/edge/host/clock.ts'
import { listPages } from '../../src/edge/kube/api/listPages.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { type WatchStep, watch } from '../../src/edge/kube/api/watch.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { openstackFolder } from '../../src/edge/manifests/shippedCrds.ts'
import { until } from '../../test/kube/waits.ts'
import { inParallel } from '../kube/bareClient.ts'
import { installCrds, type Town } from '../kube/town.ts'

export const namespace = 'openstack'
const resource = (plural: string): Resource => ({
  group: 'network.openstack.org',
  version: 'v1beta1',
  plural,
  namespace,
})
export const ipSets = resource('ipsets')
export const reservations = resource('reservations')
export const blocks: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'addressblocks' }
export const networks = ['Control', 'InternalApi', 'Storage', 'StorageMgmt', 'Tenant']
/** As many as tools have at a time. */
export const creators = 16

export const hostName = (number: number): string => `compute-${String(number).padStart(5, '0')}`
/** The order in which they are given, without those that end in zero. */
export const addressOf = (network: number, number: number): string => {
  const [high, low] = [Math.floor(number / 255), (number % 255) + 1]
  return `10.${network}.${high}.${low}`
}

export async function buildHosts(town: Town): Promise<void> {
  const { api } = town
  await installCrds(api, openstackFolder)
  const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces' }
  await api.call({
    method: 'POST',
    path: pathOf(namespaces),
    body: { metadata: { name: namespace } },
  })
  const body = {
    ...typeOf('NetConfig'),
    metadata: { name: 'netconfig' },
    spec: {
      networks: networks.map((name, at) => ({
        name,
        dnsDomain: `${name.toLowerCase()}.example.com`,
        subnets: [
          {
            name: 'subnet1',
            cidr: `10.${at}.0.0/16`,
            vlan: 20 + at,
            allocationRanges: [{ start: `10.${at}.0.1`, end: `10.${at}.250.250` }],
          },
        ],
      })),
    },
  }
  await api.call({ method: 'POST', path: pathOf(resource('netconfigs')), body })
}

export async function createHosts({ client }: Town, numbers: readonly number[]): Promise<number> {
  const start = performance.now()
  await inParallel(creators, numbers, (number) => {
    const spec = { networks: networks.map((name) => ({ name, subnetName: 'subnet1' })) }
    const body = { ...typeOf('IPSet'), metadata: { name: hostName(number) }, spec }
    return client.send({ method: 'POST', path: pathOf(ipSets), body })
  })
  return performance.now() - start
}

/** Nobody collects here what has lost its owner. */
export async function clearHosts(town: Town): Promise<void> {
  for (const kind of [ipSets, reservations, blocks]) {
    const names: string[] = []
    for await (const { items } of listPages(town.api, kind, new AbortController().signal)) {
      for (const json of items) names.push(new Fields(json, []).inner('metadata').text('name'))
    }
    await inParallel(creators, names, (name) =>
      town.client.send({ method: 'DELETE', path: pathOf(kind, name) }),
    )
  }
}

/** What a pure observer sees: when each host came, and when it was Ready. */
export class SeenHosts {
  readonly came = new Map<string, number>()
  readonly ready = new Map<string, number>()
  readonly addresses = new Map<string, string>()
  readonly #stop = new AbortController()

  constructor(town: Town) {
    void this.#follow(town)
  }

  close(): void {
    this.#stop.abort()
  }

  /** Addresses that more than one has. */
  get doubled(): number {
    const owners = new Map<string, number>()
    for (const all of this.addresses.values()) {
      for (const one of all.split(' ')) owners.set(one, (owners.get(one) ?? 0) + 1)
    }
    return [...owners.values()].filter((count) => count > 1).length
  }

  async isReady(numbers: readonly number[]): Promise<void> {
    const areReady = () => numbers.every((one) => this.ready.has(hostName(one))) || undefined
    await until(`${numbers.length} hosts are Ready`, areReady, 1_200_000)
  }

  async isEmpty(): Promise<void> {
    await until('no host is left', () => this.came.size === 0 || undefined, 600_000)
  }

  async #follow({ api }: Town): Promise<void> {
    const { signal } = this.#stop
    const options = { signal, clock: systemClock, random: Math.random }
    for await (const step of watch(api, ipSets, options)) this.#take(step)
  }

  #take(step: WatchStep): void {
    if (!('json' in step)) return
    const [object, now] = [new Fields(step.json, []), performance.now()]
    const name = object.inner('metadata').text('name')
    if (step.type === 'delete') {
      for (const known of [this.came, this.ready, this.addresses]) known.delete(name)
      return
    }
    if (!this.came.has(name)) this.came.set(name, now)
    const status = object.inner('status')
    const isReady = status
      .each('conditions')
      .some((one) => one.text('type') === 'Ready' && one.text('status') === 'True')
    if (!isReady || this.ready.has(name)) return
    this.ready.set(name, now)
    const given = status.each('reservations')
    this.addresses.set(name, given.map((one) => one.text('address')).join(' '))
  }
}
