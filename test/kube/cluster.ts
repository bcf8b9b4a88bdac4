// How do the suites speak to the one API server they share? Each in namespaces of its own.
import { describe, inject, onTestFinished, test } from 'vitest'
import { type Api, type ApiOptions, newApi } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { connectionFor, isEmbedded, type KubeAddress, type User } from './harness.ts'

const nowhere = 'https://kube.invalid'
export const kube: KubeAddress = inject('kube') ?? {
  server: nowhere,
  caFile: '',
  etcd: nowhere,
  folder: '',
}

/** Left out, not failed, where there is no Kubernetes to run on; setup.ts says so. */
export const contract = describe.skipIf(inject('kube') === undefined)

/** For lines of the contract that say `Kubernetes only`. */
export const onKubernetes = test.skipIf(isEmbedded)

export type KubeObject = {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, string>>
  /** Who wrote an Event. */
  readonly reportingComponent?: string
}
export type KubeList = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items: readonly KubeObject[]
}

export const apiAs = (user: User, options?: ApiOptions): Api =>
  newApi(connectionFor(kube, user), options)

export const core = (plural: string, namespace?: string): Resource =>
  namespace === undefined
    ? { group: '', version: 'v1', plural }
    : { group: '', version: 'v1', plural, namespace }

export const strategic = 'application/strategic-merge-patch+json'
export const merge = 'application/merge-patch+json'
export const jsonPatch = 'application/json-patch+json'
export const apply = 'application/apply-patch+yaml'

type Query = Readonly<Record<string, string>>
export type Patch = {
  readonly type: string
  readonly body: unknown
  readonly subresource?: string
  readonly query?: Query
}

/** The verbs of one collection; answers are taken for what the contract says they are. */
export function verbs(api: Api, resource: Resource) {
  const [collection, object] = [pathOf(resource), (name: string) => pathOf(resource, name)]
  const one = async (answer: Promise<unknown>): Promise<KubeObject> => (await answer) as KubeObject
  return {
    get: (name: string) => one(api.call({ method: 'GET', path: object(name) })),
    list: async (query: Query = {}) =>
      (await api.call({ method: 'GET', path: collection, query })) as KubeList,
    create: (body: unknown, query: Query = {}) =>
      one(api.call({ method: 'POST', path: collection, body, query })),
    replace: (name: string, body: unknown, subresource?: string) =>
      one(api.call({ method: 'PUT', path: pathOf(resource, name, subresource), body })),
    patch: (name: string, { type, body, subresource, query = {} }: Patch) => {
      const path = pathOf(resource, name, subresource)
      return one(api.call({ method: 'PATCH', path, body, contentType: type, query }))
    },
    remove: (name: string, body?: unknown) =>
      one(api.call({ method: 'DELETE', path: object(name), body })),
    removeAll: (query: Query = {}) => api.call({ method: 'DELETE', path: collection, query }),
  }
}

/** The refusal; it is a failure of the test when there is none. */
export async function refusal(answer: Promise<unknown>): Promise<ApiError> {
  const refused = await answer.then(
    (value) => new Error(`was accepted: ${JSON.stringify(value)?.slice(0, 500)}`),
    (error: unknown) => error,
  )
  if (refused instanceof ApiError) return refused
  throw refused
}

export const fieldsOf = ({ status }: ApiError): readonly string[] => {
  const { details } = status as { details?: { causes?: readonly { field?: string }[] } }
  return (details?.causes ?? []).map(({ field = '' }) => field)
}

/** Gone from sight when the test is over; the namespace controller does the rest. */
export async function newNamespace(admin: Api): Promise<string> {
  const namespaces = verbs(admin, core('namespaces'))
  const { metadata } = await namespaces.create({ metadata: { generateName: 'contract-' } })
  onTestFinished(async () => {
    await namespaces.remove(metadata.name).catch(() => undefined)
  })
  return metadata.name
}

export const loadBalancer = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
})

export const configMap = (name: string, data: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})
