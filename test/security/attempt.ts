// What is an attempt? A name, what the attacker holds, and what must hold afterwards; it is made
// where the program and its rights are the real ones.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Api } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { core, type KubeObject, loadBalancer, refusal, verbs } from '../kube/cluster.ts'
import { conditionOf, shownBy } from '../kube/controllers.ts'
import { until } from '../kube/waits.ts'

export type Engine = 'kubernetes' | 'embedded'

/**
 * Two tenants, alpha and beta, each with the namespace and the pool of its name; a pool that belongs
 * to nobody; and a Service of beta that holds an address.
 */
export type Stand = {
  readonly engine: Engine
  readonly admin: Api
  /** Of alpha: an account that may edit its namespace, or a token for it. */
  readonly tenant: Api
  /** Of the speaker on node-a; where there is one. */
  readonly node: Api | undefined
  /** With the account of the controller; where it has one. */
  readonly controller: Api | undefined
  /** Whether the programs that were started still run. */
  readonly isRunning: () => boolean
}

export type Attempt = {
  readonly name: string
  readonly holds:
    | "a tenant's account or token"
    | "a node's account"
    | "the controller's account"
    | 'a namespace token'
  readonly mustHold: string
  /** What happened when it was first tried: `prevented`, or what the attacker achieved. */
  readonly before: string
  readonly engines: readonly Engine[]
  /** Kubernetes 1.29 serves no admission policies. */
  readonly needsPolicies?: true
  readonly run: (stand: Stand) => Promise<void>
}

export const ownNamespace = 'metallb-system'
export const [alphaRange, betaRange, openRange] = [
  '198.51.100.1-198.51.100.15',
  '198.51.100.16-198.51.100.31',
  '192.0.2.1-192.0.2.15',
]
/** Of the Service `victim` in beta. */
export const victimIp = '198.51.100.20'
/** Of the network that both tenants have their ranges in. */
export const gatewayIp = '198.51.100.254'
export const quota = 4

export const metallb = (plural: string, version = 'v1beta1'): Resource => ({
  ...{ group: 'metallb.io', version, plural, namespace: ownNamespace },
})
export const berthKind = (plural: string): Resource => ({
  ...{ group: 'berth.dev', version: 'v1alpha1', plural },
})

export const servicesOf = (api: Api, namespace = 'alpha') => verbs(api, core('services', namespace))

/** A Service of the attacker; gone when the work is done. */
export async function withService<T>(
  { tenant, admin }: Stand,
  given: { readonly name: string; readonly annotations?: object; readonly spec?: object },
  work: (name: string) => Promise<T>,
): Promise<T> {
  const { name, annotations = {}, spec = {} } = given
  const labels = { 'berth.dev/tenant': 'beta' }
  const body = { ...loadBalancer(name, spec), metadata: { name, annotations, labels } }
  await servicesOf(tenant).create(body)
  try {
    return await work(name)
  } finally {
    await servicesOf(admin).remove(name)
  }
}

/** Waits until it is decided; it has no address, for that reason. */
export async function waits({ admin }: Stand, name: string, reason: RegExp): Promise<void> {
  const decided = await until(`${name} is decided`, async () => {
    const service = await servicesOf(admin).get(name)
    return conditionOf(service) === undefined ? undefined : service
  })
  expect(conditionOf(decided)).toMatchObject({ status: 'False' })
  expect(conditionOf(decided)?.reason).toMatch(reason)
  expect(shownBy(decided)).toEqual([])
}

export async function addressIn({ admin }: Stand, name: string): Promise<string> {
  return until(`${name} has an address`, async () => shownBy(await servicesOf(admin).get(name))[0])
}

/** What beta holds is what it held, and new Services of it are served. */
export async function betaIsServed(stand: Stand): Promise<void> {
  const services = servicesOf(stand.admin, 'beta')
  expect(shownBy(await services.get('victim'))).toEqual([victimIp])
  await services.create(loadBalancer('next'))
  try {
    await until('beta is served', async () => shownBy(await services.get('next'))[0])
  } finally {
    await services.remove('next')
  }
  expect(stand.isRunning()).toBe(true)
}

export async function isForbidden(asked: Promise<unknown>): Promise<void> {
  expect((await refusal(asked)).code).toBe(403)
}

/** Long enough that what was going to be done wrong is done. */
export const settle = (): Promise<void> => sleep(500)

export const hasAddress = (service: KubeObject): boolean => shownBy(service).length > 0
