// What of @kubernetes/client-node do the suites use? It is no package of ours: it is loaded from
// where install.sh has put it, and has types here as far as it is used.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject, onTestFinished } from 'vitest'

/** As the library's models have it: times are dates. */
export type Shown = {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly creationTimestamp: Date
    readonly labels?: Readonly<Record<string, string>>
    readonly managedFields?: readonly { readonly manager: string; readonly operation: string }[]
  }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, string>>
}
export type ShownList = {
  readonly kind?: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly _continue?: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly Shown[]
}
type Asked = Readonly<Record<string, unknown>>
/** One operation; what it gives back is what its name says. */
type Call<Answer = Shown> = (asked: Asked, options?: object) => Promise<Answer>

type Verbs<Kind extends string> = Record<
  | `createNamespaced${Kind}`
  | `readNamespaced${Kind}`
  | `replaceNamespaced${Kind}`
  | `patchNamespaced${Kind}`
  | `deleteNamespaced${Kind}`
  | `deleteCollectionNamespaced${Kind}`,
  Call
> &
  Record<`listNamespaced${Kind}`, Call<ShownList>>

export type CoreV1Api = Verbs<'ConfigMap'> &
  Verbs<'Service'> &
  Verbs<'Pod'> &
  Verbs<'Secret'> &
  Verbs<'Event'> &
  Verbs<'ServiceAccount'> &
  Record<'createNamespace' | 'deleteNamespace', Call> &
  Record<'readNamespacedServiceStatus' | 'patchNamespacedServiceStatus', Call> &
  Record<'listConfigMapForAllNamespaces', Call<ShownList>>

type CustomObjectsApi = Verbs<'CustomObject'> & Record<'getNamespacedCustomObject', Call>

/** Everything of any kind, found by discovery. */
type KubernetesObjectApi = {
  readonly create: (object: object) => Promise<Shown>
  readonly read: (object: object) => Promise<Shown>
  readonly replace: (object: object) => Promise<Shown>
  readonly delete: (object: object) => Promise<object>
  readonly patch: (object: object, ...options: readonly unknown[]) => Promise<Shown>
  readonly list: (apiVersion: string, kind: string, namespace?: string) => Promise<ShownList>
}
type KubeConfig = {
  readonly loadFromFile: (file: string) => void
  readonly makeApiClient: <Api>(type: new (...args: never[]) => Api) => Api
}
export type Informer = {
  readonly on: (verb: string, tell: (object: Shown) => void) => void
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly list: (namespace?: string) => readonly Shown[]
  readonly get: (name: string, namespace?: string) => Shown | undefined
}
type Watch = {
  readonly watch: (
    path: string,
    query: Asked,
    tell: (type: string, object: Shown) => void,
    done: (error: unknown) => void,
  ) => Promise<AbortController>
}
type Type<Instance> = new (...args: never[]) => Instance

type Library = {
  readonly KubeConfig: new () => KubeConfig
  readonly CoreV1Api: Type<CoreV1Api>
  readonly AppsV1Api: Type<Verbs<'Deployment'>>
  readonly CoordinationV1Api: Type<Verbs<'Lease'>>
  readonly DiscoveryV1Api: Type<Verbs<'EndpointSlice'>>
  readonly CustomObjectsApi: Type<CustomObjectsApi>
  readonly ApiextensionsV1Api: Type<Record<'listCustomResourceDefinition', Call<ShownList>>>
  readonly AuthorizationV1Api: Type<Record<'createSelfSubjectAccessReview', Call>>
  readonly VersionApi: Type<{ readonly getCode: () => Promise<{ readonly minor: string }> }>
  readonly KubernetesObjectApi: { readonly makeApiClient: (config: object) => KubernetesObjectApi }
  readonly Health: new (config: object) => { readonly readyz: (o: object) => Promise<boolean> }
  readonly Watch: new (config: object) => Watch
  readonly PatchStrategy: Readonly<Record<Strategy, string>>
  readonly setHeaderOptions: (header: string, value: string) => object
  readonly makeInformer: (
    config: object,
    path: string,
    list: () => Promise<ShownList>,
    labelSelector?: string,
  ) => Informer
}
export type Strategy = 'JsonPatch' | 'MergePatch' | 'StrategicMergePatch' | 'ServerSideApply'

export type ApiException = Error & {
  readonly code: number
  /** The Status, as text. */
  readonly body: string
}

const home = inject('libraries')
const path = join(home, 'node', 'node_modules', '@kubernetes', 'client-node', 'dist', 'index.js')
/** Undefined where there is none. */
export const library: Library | undefined =
  home === '' ? undefined : await import(pathToFileURL(path).href)

/** For the kubeconfig of a server; suites that are left out are never asked for it. */
export function clientOf(kubeconfig: string) {
  if (library === undefined) throw new Error('the library is not installed')
  const config = new library.KubeConfig()
  config.loadFromFile(kubeconfig)
  const { PatchStrategy, setHeaderOptions } = library
  return {
    library,
    config,
    core: config.makeApiClient(library.CoreV1Api),
    as: (strategy: Strategy): object => setHeaderOptions('Content-Type', PatchStrategy[strategy]),
  }
}

/** Gone when the test is over. */
export async function newNamespace(core: CoreV1Api): Promise<string> {
  const body = { metadata: { generateName: 'node-' } }
  const { name } = (await core.createNamespace({ body })).metadata
  onTestFinished(async () => {
    await core.deleteNamespace({ name })
  })
  return name
}

type Status = {
  readonly kind: string
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: {
    readonly name?: string
    readonly kind?: string
    readonly causes?: readonly { readonly field?: string }[]
  }
}

/** The Status of a refusal; it is a failure of the test when there is none. */
export async function refusal(answer: Promise<unknown>): Promise<Status> {
  const error = (await answer.then(
    (value) => new Error(`was accepted: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )) as ApiException
  if (error.body === undefined) throw error
  const status: Status = typeof error.body === 'string' ? JSON.parse(error.body) : error.body
  if (status.code !== error.code) throw new Error(`${error.code} came with ${error.body}`)
  return status
}
