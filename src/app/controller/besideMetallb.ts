// Does a MetalLB controller serve the same Services? While one is up nothing is written: two that
// give addresses do not see each other's decisions.
import type { Settings } from '../../core/model/world.ts'
import { metallbController } from '../../edge/kube/decode/metallbController.ts'
import { type RivalParts, Rivals } from '../../edge/kube/feed/rivals.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

export function besideMetallb(parts: RivalParts, settings: Settings): Rivals {
  const { ownNamespace: namespace, loadBalancerClass } = settings
  const served = loadBalancerClass === '' ? 'without a class' : `of class ${loadBalancerClass}`
  return new Rivals(parts, {
    part: 'controller',
    workloads: resourceOf('Deployment', namespace),
    isUp(deployment) {
      const controller = metallbController(deployment)
      return controller?.isUp === true && controller.loadBalancerClass === loadBalancerClass
    },
    waitsFor(names) {
      const who = names.map((name) => `Deployment ${namespace}/${name}`).join(', ')
      return `MetalLB (${who}) serves Services ${served}: nothing is written until it stops`
    },
  })
}
