// Which built-in kinds are served? Those of Kubernetes that Berth and kubectl use.
import { definition } from './definitions.ts'
import type { StoredKind } from './storedKind.ts'

type Row = {
  readonly kind: string
  readonly plural: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly isOfCluster?: boolean
  readonly hasStatus?: boolean
}
type Group = { readonly group: string; readonly definedIn: string; readonly kinds: readonly Row[] }

/** Common to all of them: one version, v1. */
const groups: readonly Group[] = [
  {
    group: '',
    definedIn: 'io.k8s.api.core.v1',
    kinds: [
      { kind: 'ConfigMap', plural: 'configmaps', shortNames: ['cm'] },
      { kind: 'Event', plural: 'events', shortNames: ['ev'] },
      {
        kind: 'Namespace',
        plural: 'namespaces',
        shortNames: ['ns'],
        isOfCluster: true,
        hasStatus: true,
      },
      { kind: 'Node', plural: 'nodes', shortNames: ['no'], isOfCluster: true, hasStatus: true },
      {
        kind: 'Pod',
        plural: 'pods',
        shortNames: ['po'],
        categories: ['all'],
        hasStatus: true,
      },
      { kind: 'Secret', plural: 'secrets' },
      { kind: 'ServiceAccount', plural: 'serviceaccounts', shortNames: ['sa'] },
      {
        kind: 'Service',
        plural: 'services',
        shortNames: ['svc'],
        categories: ['all'],
        hasStatus: true,
      },
    ],
  },
  {
    group: 'apps',
    definedIn: 'io.k8s.api.apps.v1',
    kinds: [
      {
        kind: 'Deployment',
        plural: 'deployments',
        shortNames: ['deploy'],
        categories: ['all'],
        hasStatus: true,
      },
    ],
  },
  {
    group: 'apiextensions.k8s.io',
    definedIn: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    kinds: [
      {
        kind: 'CustomResourceDefinition',
        plural: 'customresourcedefinitions',
        shortNames: ['crd', 'crds'],
        categories: ['api-extensions'],
        isOfCluster: true,
        hasStatus: true,
      },
    ],
  },
  {
    group: 'coordination.k8s.io',
    definedIn: 'io.k8s.api.coordination.v1',
    kinds: [{ kind: 'Lease', plural: 'leases' }],
  },
  {
    group: 'discovery.k8s.io',
    definedIn: 'io.k8s.api.discovery.v1',
    kinds: [{ kind: 'EndpointSlice', plural: 'endpointslices' }],
  },
]

export const builtInKinds: readonly StoredKind[] = groups.flatMap(({ group, definedIn, kinds }) =>
  kinds.map((row) => builtIn(group, definedIn, row)),
)

function builtIn(group: string, definedIn: string, row: Row): StoredKind {
  const { kind, plural, shortNames = [], categories = [], isOfCluster = false } = row
  const name = `${definedIn}.${kind}`
  return {
    group,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames,
    categories,
    isNamespaced: !isOfCluster,
    isBuiltIn: true,
    storage: 'v1',
    versions: [
      {
        name: 'v1',
        // Read when first needed: most kinds are never requested, and the schema of a Pod is large.
        get schema() {
          return definition(name)
        },
        hasStatus: row.hasStatus ?? false,
        columns: [],
      },
    ],
  }
}

/** The name of its published definition. */
export function publishedAs({ group, kind }: StoredKind): string {
  const found = groups.find((one) => one.group === group)
  if (found === undefined) throw new Error(`${kind} of ${group} is not a built-in kind`)
  return `${found.definedIn}.${kind}`
}
