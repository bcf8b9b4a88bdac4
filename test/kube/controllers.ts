// How do the suites run controllers? Each file has a cluster of its own, with our CRDs; a
// controller reaches it through a tap that sees every request and may spoil it.
import { Controller } from '../../src/app/controller/controller.ts'
import type { NewExtension } from '../../src/app/controller/extension.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { type Api, type ApiRequest, newApi } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { core, type KubeObject, loadBalancer, verbs } from './cluster.ts'
import { installCrds } from './crds.ts'
import {
  connectionFor,
  findEngine,
  type Kube,
  type KubeAddress,
  type KubeOptions,
  startKube,
} from './harness.ts'
import { type Lines, untouched } from './lateness.ts'
import { hasSeenAll } from './seenAll.ts'
import { until } from './waits.ts'

export const ownNamespace = 'metallb-system'
const berth = (plural: string): Resource => ({ group: 'berth.dev', version: 'v1alpha1', plural })
const metallb = (plural: string): Resource => ({
  group: 'metallb.io',
  version: 'v1beta1',
  plural,
  namespace: ownNamespace,
})

export type Cluster = {
  readonly kube: Kube
  readonly admin: Api
  readonly addresses: ReturnType<typeof verbs>
  readonly pools: ReturnType<typeof verbs>
  readonly tenants: ReturnType<typeof verbs>
  readonly states: ReturnType<typeof verbs>
  readonly services: (namespace: string) => ReturnType<typeof verbs>
  readonly stop: () => Promise<void>
}

export async function startCluster(options: KubeOptions = {}): Promise<Cluster> {
  const engine = findEngine()
  if ('why' in engine) throw new Error(engine.why)
  const define = async (api: Api): Promise<void> => {
    await installCrds(api)
    await options.define?.(api)
  }
  const kube = await startKube(engine.folder, { ...options, define })
  const admin = newApi(connectionFor(kube, 'admin'))
  await verbs(admin, core('namespaces')).create({ metadata: { name: ownNamespace } })
  return {
    kube,
    admin,
    addresses: verbs(admin, berth('addresses')),
    pools: verbs(admin, metallb('ipaddresspools')),
    tenants: verbs(admin, berth('tenants')),
    states: verbs(admin, metallb('configurationstates')),
    services: (namespace) => verbs(admin, core('services', namespace)),
    async stop() {
      admin.close()
      await kube.stop()
    },
  }
}

export const pool = (name: string, addresses: readonly string[], spec: object = {}): object => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name, namespace: ownNamespace },
  spec: { addresses, ...spec },
})

type ServiceOptions = {
  readonly annotations?: object
  readonly labels?: object
  readonly spec?: object
}

/** Asks for the pool by name, so that tests do not meet. */
export const asking = (
  name: string,
  poolName: string,
  { annotations = {}, labels = {}, spec = {} }: ServiceOptions = {},
): object => ({
  ...loadBalancer(name, spec),
  metadata: { name, labels, annotations: { 'metallb.io/address-pool': poolName, ...annotations } },
})

/** What happens to a request; undefined lets it pass. */
export type Spoil = (
  request: ApiRequest,
  pass: () => Promise<unknown>,
) => Promise<unknown> | undefined

export type Tap = { readonly api: Api; readonly seen: ApiRequest[] }

export function tapped(api: Api, spoil: Spoil = () => undefined, lines = untouched): Tap {
  const seen: ApiRequest[] = []
  return {
    seen,
    api: {
      async call(request) {
        seen.push(request)
        return (await spoil(request, () => api.call(request))) ?? api.call(request)
      },
      stream: (request) => lines(api.stream(request), request),
      close: () => api.close(),
    },
  }
}

export const isWrite = ({ method }: ApiRequest): boolean => method !== 'GET'
/** The lease aside: who leads is not what the suites count. */
export const isClaimWrite = (request: ApiRequest): boolean =>
  isWrite(request) && /\/(addresses|services)\b/.test(request.path)
export const writesIn = (seen: readonly ApiRequest[]): string[] =>
  seen
    .filter((request) => isWrite(request) && !request.path.includes('/leases'))
    .map(({ method, path }) => `${method} ${path}`)

export type Running = {
  readonly controller: Controller
  readonly seen: ApiRequest[]
  readonly log: string[]
  /** Until it has seen all that the API holds, and nothing is left to do. */
  readonly quiet: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

export type RunOptions = {
  readonly lease?: string
  readonly loadBalancerClass?: string
  readonly spoil?: Spoil
  readonly lines?: Lines
  /** What is added to the monotonic clock. */
  readonly aheadMs?: () => number
  readonly user?: 'admin' | 'berth'
  readonly extensions?: readonly NewExtension[]
}

let runs = 0

export function runController(kube: KubeAddress, options: RunOptions = {}): Running {
  const { lease, loadBalancerClass = '', spoil, lines, aheadMs = () => 0, user = 'admin' } = options
  const { api, seen } = tapped(newApi(connectionFor(kube, user)), spoil, lines)
  const log: string[] = []
  const end = new AbortController()
  const controller = new Controller({
    api,
    settings: { ownNamespace, loadBalancerClass },
    clock: { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs() },
    random: Math.random,
    timestamp: () => new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    identity: `test-${runs++}`,
    ...(lease === undefined ? {} : { lease }),
    extensions: options.extensions ?? [],
    log: (entry) => log.push(JSON.stringify(entry)),
  })
  const ended = controller.run(end.signal)
  // A view of its own: what the controller asks is counted.
  const admin = newApi(connectionFor(kube, 'admin'))
  const own = { api: admin, namespace: ownNamespace }
  const quiet = (): Promise<unknown> =>
    until(`the controller is quiet; last words:\n${log.slice(-5).join('\n')}`, async () => {
      // Asked first: what it writes after its answer is in the lists.
      const { isQuiet, seen: all } = controller.progress()
      return (isQuiet && (await hasSeenAll(own, all).catch(() => false))) || undefined
    })
  return {
    controller,
    seen,
    log,
    quiet,
    async stop() {
      end.abort()
      await ended
      for (const one of [api, admin]) one.close()
    },
  }
}

export const shownBy = ({ status }: KubeObject): string[] => {
  const { loadBalancer } = (status ?? {}) as {
    loadBalancer?: { ingress?: readonly { ip?: string }[] }
  }
  return (loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? [])
}

export const conditionOf = ({ status }: KubeObject) => {
  const { conditions } = (status ?? {}) as {
    conditions?: readonly { type: string; status: string; reason: string }[]
  }
  return conditions?.find(({ type }) => type === 'berth.dev/Addressed')
}

export type Holder = { namespace: string; name: string; uid: string; ports: string[] }
export const holdersOf = ({ spec }: KubeObject): Holder[] => (spec?.['holders'] ?? []) as Holder[]

export async function addressOf(of: ReturnType<typeof verbs>, name: string): Promise<string> {
  return until(`${name} has an address`, async () => shownBy(await of.get(name))[0])
}
