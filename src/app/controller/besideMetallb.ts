// Does a MetalLB controller serve the same Services? While one is up nothing is written: two that
// give addresses do not see each other's decisions.
import type { Settings } from '../../core/model/world.ts'
import { metallbController } from '../../edge/kube/decode/metallbController.ts'
import { type RivalParts, Rivals } from '../../edge/kube/feed/rivals.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

/** Of its manifests and of its chart: elsewhere not every Deployment of a cluster is read. */
const labels = [
  'app=metallb,component=controller',
  'app.kubernetes.io/name=metallb,app.kubernetes.io/component=controller',
]

/**
 * Elsewhere it matters only while we may have to take over from it: anybody who may write
 * Deployments in one namespace could otherwise stop us for the whole cluster.
 */
export function besideMetallb(
  parts: RivalParts,
  settings: Settings,
  mayTakeOver: () => boolean,
): Rivals {
  const { ownNamespace: namespace, loadBalancerClass } = settings
  const served = loadBalancerClass === '' ? 'without a class' : `of class ${loadBalancerClass}`
  const fieldSelector = `metadata.namespace!=${namespace}`
  const elsewhere = labels.map((labelSelector) => ({
    workloads: { ...resourceOf('Deployment'), selector: { labelSelector, fieldSelector } },
    counts: mayTakeOver,
  }))
  return new Rivals(parts, {
    part: 'controller',
    places: [{ workloads: resourceOf('Deployment', namespace) }, ...elsewhere],
    isUp(deployment) {
      const controller = metallbController(deployment)
      return controller?.isUp === true && controller.loadBalancerClass === loadBalancerClass
    },
    waitsFor(names) {
      const who = names.map((name) => `Deployment ${name}`).join(', ')
      const isElsewhere = names.every((name) => !name.startsWith(`${namespace}/`))
      const where = isElsewhere ? `. Install Berth where MetalLB is, not in ${namespace}` : ''
      return `MetalLB (${who}) serves Services ${served}: nothing is written until it stops${where}`
    },
  })
}
