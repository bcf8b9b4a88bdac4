// What of MetalLB is in this cluster, and who installed it?
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { isMetallb, metallbController } from '../../../edge/kube/decode/metallbController.ts'

type InstalledBy = 'manifests' | 'chart' | 'operator'

export type Workload = {
  readonly name: string
  readonly namespace: string
  readonly installedBy: InstalledBy
  /** The operator's object; empty where no operator runs, though one may have made it. */
  readonly keptBy: string
  readonly object: Fields
}

/** Its Deployments that assign addresses. */
export function controllersIn(deployments: readonly unknown[]): Workload[] {
  const objects = deployments.map((json) => new Fields(json, []))
  const isKept = objects.some(isRunningOperator)
  return objects
    .filter((object) => metallbController(object) !== undefined)
    .map(workload)
    .map((one) => (isKept ? one : { ...one, keptBy: '' }))
}

/** By the images that it is told to install: its name is OLM's to choose. */
function isRunningOperator(deployment: Fields): boolean {
  const spec = deployment.inner('spec')
  const containers = spec.inner('template').inner('spec').each('containers')
  const names = containers.flatMap((one) => one.each('env').map((env) => env.text('name')))
  const isOperator = ['SPEAKER_IMAGE', 'CONTROLLER_IMAGE'].every((name) => names.includes(name))
  return isOperator && spec.number('replicas') !== 0
}

/** Its DaemonSets; frr-k8s is another product with labels of its own. */
export const speakersIn = (daemonSets: readonly unknown[]): Workload[] =>
  daemonSets
    .map((json) => new Fields(json, []))
    .filter((object) => isMetallb(object) && isSpeaker(object))
    .map(workload)

const isSpeaker = (object: Fields): boolean => {
  const { labels } = metaOf(object)
  const components = [labels['component'], labels['app.kubernetes.io/component']]
  return components.every((component = 'speaker') => component === 'speaker')
}

function workload(object: Fields): Workload {
  const { name, namespace, labels, annotations } = metaOf(object)
  const owner = object
    .inner('metadata')
    .each('ownerReferences')
    .find((one) => one.text('kind') === 'MetalLB')
  const isHelm =
    labels['app.kubernetes.io/managed-by'] === 'Helm' ||
    annotations['meta.helm.sh/release-name'] !== undefined
  const installedBy = owner !== undefined ? 'operator' : isHelm ? 'chart' : 'manifests'
  return { name, namespace, installedBy, keptBy: owner?.text('name') ?? '', object }
}

const containersOf = ({ object }: Workload): readonly Fields[] =>
  object.inner('spec').inner('template').inner('spec').each('containers')

const variable = (speaker: Workload, name: string): Fields | undefined =>
  containersOf(speaker)
    .flatMap((container) => container.each('env'))
    .find((one) => one.text('name') === name)

/** The variable that turns it on together with an address to bind to (M5.6). */
export const memberlistVariable = 'METALLB_ML_LABELS'

export function hasMemberlist(speaker: Workload): boolean {
  const flags = containersOf(speaker).flatMap((container) => container.texts('args'))
  const isFlagged = flags.some((flag) => /^--?ml-labels(=.|$)/.test(flag))
  return isFlagged || variableOf(speaker, memberlistVariable) !== ''
}

/** Empty if it is not set. */
export const variableOf = (workload: Workload, name: string): string =>
  variable(workload, name)?.text('value') ?? ''

/** As METALLB_BGP_TYPE says; without it MetalLB's own. */
export const bgpModeOf = (speaker: Workload): string =>
  variableOf(speaker, 'METALLB_BGP_TYPE') || 'native'
