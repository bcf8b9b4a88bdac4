// What exactly is MetalLB's own? Everything that its manifests install but the namespace, the
// definitions and what was configured: those are in use.
import type { Labels } from '../../../../core/model/selector.ts'
import { counted } from '../../../../core/net/counted.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import type { Fields } from '../../../../edge/kube/decode/fields.ts'
import { type KindName, rowOf } from '../../../../edge/kube/kinds.ts'
import { releaseOf } from '../helmRelease.ts'
import { controllersIn, variableOf } from '../metallb.ts'
import { listed, readOne, remove, type Walk, waitFor } from './walk.ts'

export type Own = { readonly kind: KindName; readonly name: string; readonly namespace?: string }

const labelledKinds: readonly KindName[] = [
  'DaemonSet',
  'Deployment',
  'RoleBinding',
  'ClusterRoleBinding',
  'Role',
  'ClusterRole',
  'ServiceAccount',
]

/**
 * Of these the chart labels and marks all, and the manifests not all. One with the label alone may
 * be the operator's own, such as a rule for alerts.
 */
const alsoLabelled: readonly KindName[] = [
  'Service',
  'NetworkPolicy',
  'PodMonitor',
  'ServiceMonitor',
  'PrometheusRule',
]

/** A Secret or ConfigMap with its label may be the operator's own, as with a password of a peer. */
const named: readonly Own[] = [
  { kind: 'ValidatingWebhookConfiguration', name: 'metallb-webhook-configuration' },
  { kind: 'Service', name: 'metallb-webhook-service' },
  { kind: 'Service', name: 'controller-monitor-service' },
  { kind: 'Service', name: 'speaker-monitor-service' },
  { kind: 'ServiceMonitor', name: 'controller-monitor' },
  { kind: 'ServiceMonitor', name: 'speaker-monitor' },
  { kind: 'PodMonitor', name: 'controller-monitor' },
  { kind: 'PodMonitor', name: 'speaker-monitor' },
  { kind: 'Secret', name: 'metallb-webhook-cert' },
  { kind: 'Secret', name: 'memberlist' },
  { kind: 'ConfigMap', name: 'metallb-excludel2' },
  { kind: 'ConfigMap', name: 'frr-startup' },
  { kind: 'ConfigMap', name: 'metallb-frr-startup' },
]

const berthKinds: readonly KindName[] = [
  'ValidatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  ...labelledKinds,
  'PodDisruptionBudget',
  'NetworkPolicy',
  'Service',
  'Secret',
]

export const metallbOwn = async (walk: Walk): Promise<Own[]> => [
  ...(await ownIn(walk, labelledKinds, isLabelled)),
  ...(await ownIn(walk, alsoLabelled, isOfChart)),
  ...(await present(walk)),
]

/** What Berth's manifests install, but its definitions: a Tenant's would take its pools. */
export const berthOwn = (walk: Walk): Promise<Own[]> =>
  ownIn(walk, berthKinds, (one) => metaOf(one).labels['app.kubernetes.io/name'] === 'berth')

async function ownIn(
  walk: Walk,
  kinds: readonly KindName[],
  isOwn: (object: Fields) => boolean,
): Promise<Own[]> {
  const lists = kinds.map(async (kind) => {
    const isInCluster = rowOf(kind).scope === 'cluster'
    const objects = await listed(walk, kind, isInCluster ? undefined : walk.namespace)
    return objects.filter(isOwn).map((one) => own(kind, one))
  })
  return (await Promise.all(lists)).flat()
}

/** By Helm's mark, or by the chart's where something else applies what Helm renders. */
function isOfChart(one: Fields): boolean {
  const chart = metaOf(one).labels['helm.sh/chart'] ?? ''
  const isMarked = releaseOf(one) !== undefined || chart.startsWith('metallb-')
  return isLabelled(one) && isMarked && !isNamed(one)
}

const isNamed = (one: Fields): boolean => named.some(({ name }) => name === metaOf(one).name)

async function present(walk: Walk): Promise<Own[]> {
  const more = await memberlistSecret(walk)
  const kinds = [...new Set(named.map(({ kind }) => kind))]
  const isOwn = (kind: KindName, { name }: { readonly name: string }) =>
    named.some((own) => own.kind === kind && own.name === name) ||
    (kind === 'Secret' && name === more)
  const lists = kinds.map((kind) => ownIn(walk, [kind], (one) => isOwn(kind, metaOf(one))))
  return (await Promise.all(lists)).flat()
}

/** As its controller is told. */
async function memberlistSecret(walk: Walk): Promise<string> {
  const deployments = await listed(walk, 'Deployment', walk.namespace)
  const [controller] = controllersIn(deployments.map(({ json }) => json))
  return controller === undefined ? '' : variableOf(controller, 'METALLB_ML_SECRET_NAME')
}

function own(kind: KindName, object: Fields): Own {
  const { name, namespace } = metaOf(object)
  return { kind, name, ...(namespace === '' ? {} : { namespace }) }
}

const isLabelled = (object: Fields): boolean => {
  const { labels } = metaOf(object)
  return labels['app'] === 'metallb' || labels['app.kubernetes.io/name'] === 'metallb'
}

/** One for each namespace, and one for what is in none; to be copied. */
export function removalCommands(all: readonly Own[], kubectl = 'kubectl'): string[] {
  const groups = new Map<string, string[]>()
  for (const { kind, name, namespace = '' } of all) {
    groups.set(namespace, [...(groups.get(namespace) ?? []), `${kind.toLowerCase()}/${name}`])
  }
  return [...groups].sort().map(([namespace, names]) => {
    const where = namespace === '' ? '' : ` -n ${namespace}`
    return `${kubectl}${where} delete ${names.join(' ')}`
  })
}

/** Programs first: they release what they hold, for which they need their rights. */
export async function removeAll(
  walk: Walk,
  all: readonly Own[],
  onceTheyEnded: () => Promise<void> = async () => undefined,
): Promise<void> {
  const programs = all.filter(({ kind }) => kind === 'DaemonSet' || kind === 'Deployment')
  const selectors = await Promise.all(programs.map((one) => selectorOf(walk, one)))
  for (const one of programs) await remove(walk, one)
  await waitFor(walk, async () => {
    const pods = await listed(walk, 'Pod', walk.namespace)
    const left = pods.find((pod) => selectors.some((one) => one !== undefined && matches(one, pod)))
    return left === undefined ? '' : `the pod ${metaOf(left).name} does not end`
  })
  await onceTheyEnded()
  for (const one of all) await remove(walk, one)
  walk.io.err(`  ${counted(all.length, 'object')} removed\n`)
}

const selectorOf = async (walk: Walk, own: Own): Promise<Labels | undefined> =>
  (await readOne(walk, own))?.inner('spec').inner('selector').labels('matchLabels')

const matches = (selector: Labels, pod: Fields): boolean => {
  const { labels } = metaOf(pod)
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}
