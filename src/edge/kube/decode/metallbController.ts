// Is this workload MetalLB's, and which Services does its controller serve? Recognized by the
// labels of its manifests and of its chart, otherwise by the chart's name for it.
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

const names = new Set(['metallb-controller', 'metallb-speaker'])

/** Its Deployment or its DaemonSet. */
export function isMetallb(object: Fields): boolean {
  const { name, labels } = metaOf(object)
  const apps = [labels['app'], labels['app.kubernetes.io/name']]
  return apps.includes('metallb') || names.has(name)
}

type MetallbController = {
  readonly name: string
  readonly namespace: string
  /** Empty: it serves Services without a class. */
  readonly loadBalancerClass: string
  /** A pod of it runs, or soon will; it assigns addresses from the start, ready or not. */
  readonly isUp: boolean
}

/** Undefined if it assigns no addresses: not MetalLB's, or one that only validates objects. */
export function metallbController(deployment: Fields): MetallbController | undefined {
  if (!isMetallb(deployment) || !isController(deployment)) return undefined
  const { name, namespace } = metaOf(deployment)
  const flags = flagsOf(deployment)
  if (flags.get('webhook-mode') === 'onlywebhook') return undefined
  return {
    name,
    namespace,
    loadBalancerClass: flags.get('lb-class') ?? '',
    isUp: isUp(deployment),
  }
}

/** Not scaled to zero, or not all gone yet. Older API servers do not count terminating pods. */
function isUp(deployment: Fields): boolean {
  const status = deployment.inner('status')
  const left = [status.number('replicas'), status.number('terminatingReplicas')]
  const isWanted = deployment.inner('spec').number('replicas') !== 0
  return isWanted || left.some((count = 0) => count > 0)
}

/** The operator runs other components under the same labels. */
function isController(object: Fields): boolean {
  const { labels } = metaOf(object)
  const components = [labels['component'], labels['app.kubernetes.io/component']]
  return components.every((component = 'controller') => component === 'controller')
}

/** As Go parses flags: one dash or two, the value after `=` or in the next word; the last wins. */
function flagsOf(deployment: Fields): Map<string, string> {
  const pod = deployment.inner('spec').inner('template').inner('spec')
  const words = pod
    .each('containers')
    .flatMap((container) => [...container.texts('command'), ...container.texts('args')])
  const flags = new Map<string, string>()
  words.forEach((word, at) => {
    const [, name, value = words[at + 1] ?? ''] = /^--?([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (name !== undefined) flags.set(name, value)
  })
  return flags
}
