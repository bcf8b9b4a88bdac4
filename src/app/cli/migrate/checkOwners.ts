// Who would delete definitions and pools with MetalLB? A Helm release, a GitOps tool, or
// `kubectl delete -f` of its manifest.
import { counted } from '../../../core/net/counted.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { CheckFinding } from './checkFinding.ts'
import type { Release } from './helmRelease.ts'

/** One for each release: uninstalling it deletes the definitions, and with them every object. */
export const releaseFindings = (releases: readonly Release[]): CheckFinding[] =>
  releases.map(({ name, namespace, kept }) => ({
    code: 'crds-owned-by-helm',
    severity: 'error',
    object: `Release/${namespace}/${name}`,
    message:
      `uninstalling the Helm release ${name} deletes ${keptText(kept)} and every pool with ` +
      'them; take them out of the release first',
    fixes: ['berth migrate step keep'],
  }))

/** As in `9 definitions, 1 Namespace`. */
export function keptText(kept: readonly string[]): string {
  const starts = (kind: string) => kept.filter((one) => one.startsWith(`${kind}/`)).length
  const [definitions, namespaces] = [starts('CustomResourceDefinition'), starts('Namespace')]
  const others = kept.length - definitions - namespaces
  return [
    ...(definitions === 0 ? [] : [counted(definitions, 'definition')]),
    ...(namespaces === 0 ? [] : [counted(namespaces, 'Namespace')]),
    ...(others === 0 ? [] : [counted(others, 'object')]),
  ].join(', ')
}

const tools = [
  {
    name: 'Argo CD',
    isOwner: (marks: Marks) => marks.has('argocd.argoproj.io/tracking-id'),
    keep: 'argocd.argoproj.io/sync-options=Prune=false,Delete=false',
  },
  {
    name: 'Flux',
    isOwner: (marks: Marks) => marks.has('kustomize.toolkit.fluxcd.io/name'),
    keep: 'kustomize.toolkit.fluxcd.io/prune=disabled',
  },
] as const
type Marks = ReadonlySet<string>

/** A tool that prunes what leaves its repository. */
export function gitopsFindings(definitions: readonly Fields[]): CheckFinding[] {
  return tools.flatMap(({ name, isOwner, keep }) => {
    const [key = '', value] = keep.split(/=(.*)/)
    const owned = definitions.filter((crd) => {
      const { labels, annotations } = metaOf(crd)
      const marks = new Set([...Object.keys(labels), ...Object.keys(annotations)])
      return isOwner(marks) && annotations[key] !== value
    })
    if (owned.length === 0) return []
    const names = owned.map((crd) => metaOf(crd).name).join(' ')
    return [
      {
        code: 'kept-by-gitops',
        severity: 'error',
        object: `CustomResourceDefinition/${metaOf(owned[0] ?? nothing).name}`,
        message:
          `${name} applied ${counted(owned.length, 'definition')} and deletes them, with every ` +
          'pool, once they are no longer in its repository',
        fixes: [`kubectl annotate crd ${names} ${keep} --overwrite`],
      },
    ]
  })
}

const nothing = new Fields({}, [])

/** Where MetalLB came from its manifest, that manifest holds the namespace and the definitions. */
export function manifestFindings(namespace: string): CheckFinding[] {
  return [
    {
      code: 'removal-takes-pools',
      severity: 'warning',
      object: `Namespace/${namespace}`,
      message:
        "do not run 'kubectl delete -f' with MetalLB's manifest: it deletes the namespace, Berth " +
        "in it, the definitions and every pool. 'berth migrate finish' removes MetalLB and " +
        'nothing else',
      fixes: [],
    },
  ]
}
