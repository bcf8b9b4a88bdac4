// Does Argo CD or Flux keep MetalLB as it is, or delete what must stay?
import { counted } from '../../../core/net/counted.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import type { Fields } from '../../../edge/kube/decode/fields.ts'
import type { CheckFinding } from './checkFinding.ts'

type Marks = ReadonlyMap<string, string>
type Tool = {
  readonly name: string
  readonly isOwner: (marks: Marks, writers: ReadonlySet<string>) => boolean
  /** An annotation with which it leaves an object that is no longer in its repository. */
  readonly keep: string
  /** So that it no longer puts back what is changed; undefined if the marks do not tell. */
  readonly suspend: (marks: Marks) => string | undefined
}

const instance = 'app.kubernetes.io/instance'
const kustomization = 'kustomize.toolkit.fluxcd.io/name'
const helmRelease = 'helm.toolkit.fluxcd.io/name'
const tracking = 'argocd.argoproj.io/tracking-id'

/** By what they write on objects, and by the names under which they write. */
const tools: readonly Tool[] = [
  {
    name: 'Argo CD',
    isOwner: (marks, writers) => marks.has(tracking) || writers.has('argocd-controller'),
    keep: 'argocd.argoproj.io/sync-options=Prune=false,Delete=false',
    suspend(marks) {
      const name = marks.get(tracking)?.split(':')[0] ?? marks.get(instance)
      return name && `argocd app set ${name} --sync-policy none`
    },
  },
  {
    name: 'Flux',
    isOwner: (marks, writers) =>
      [kustomization, helmRelease].some((one) => marks.has(one)) ||
      ['kustomize-controller', 'helm-controller'].some((one) => writers.has(one)),
    keep: 'kustomize.toolkit.fluxcd.io/prune=disabled',
    suspend(marks) {
      const isRelease = marks.has(helmRelease)
      const [kind, key] = isRelease
        ? ['helmrelease', helmRelease]
        : ['kustomization', kustomization]
      const [name, place] = [marks.get(key), marks.get(key.replace(/name$/, 'namespace'))]
      return name && `flux suspend ${kind} ${name}${place ? ` -n ${place}` : ''}`
    },
  },
]

function marksOf(object: Fields): Marks {
  const { labels, annotations } = metaOf(object)
  return new Map([...Object.entries(labels), ...Object.entries(annotations)])
}

const writersOf = (object: Fields): ReadonlySet<string> =>
  new Set(
    object
      .inner('metadata')
      .each('managedFields')
      .map((one) => one.text('manager')),
  )

const toolOf = (object: Fields): Tool | undefined =>
  tools.find(({ isOwner }) => isOwner(marksOf(object), writersOf(object)))

/** A tool that prunes what leaves its repository: definitions, pools and what announces them. */
export function gitopsFindings(kept: readonly Fields[]): CheckFinding[] {
  return tools.flatMap((tool) => {
    const [key = '', value] = tool.keep.split(/=(.*)/)
    const owned = kept.filter((one) => toolOf(one) === tool && marksOf(one).get(key) !== value)
    const [first] = owned
    if (first === undefined) return []
    const places = [...new Set(owned.map((one) => `${one.text('kind')}/${metaOf(one).namespace}`))]
    return [
      {
        code: 'kept-by-gitops',
        severity: 'error',
        object: `${first.text('kind')}/${metaOf(first).name}`,
        message:
          `${tool.name} applied ${counted(owned.length, 'object')} that must stay, and deletes ` +
          'them, and with a definition every pool, once they are no longer in its repository',
        fixes: places.map((place) => {
          const [kind = '', namespace] = place.split('/')
          const here = owned.filter(
            (one) => one.text('kind') === kind && metaOf(one).namespace === namespace,
          )
          const names = here.map((one) => metaOf(one).name).join(' ')
          const where = namespace === '' ? '' : ` -n ${namespace}`
          return `kubectl${where} annotate ${kind.toLowerCase()} ${names} ${tool.keep} --overwrite`
        }),
      },
    ]
  })
}

/** A tool that undoes each change to MetalLB's workloads. */
export function suspendFindings(workloads: readonly Fields[]): CheckFinding[] {
  return tools.flatMap((tool) => {
    const owned = workloads.filter((one) => toolOf(one) === tool)
    const [first] = owned
    if (first === undefined) return []
    const { namespace, name } = metaOf(first)
    const commands = owned.flatMap((one) => tool.suspend(marksOf(one)) ?? [])
    return [
      {
        code: 'gitops-keeps-metallb',
        severity: 'error',
        object: `${first.text('kind')}/${namespace}/${name}`,
        message:
          `${tool.name} applied MetalLB and may undo each step. Suspend it for the migration; ` +
          'take MetalLB out of its repository only after berth migrate finish',
        fixes: [...new Set(commands)],
      },
    ]
  })
}
