// Does anybody use frr-k8s beside MetalLB? Then it has to stay when MetalLB goes.
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'

export const speakerName = 'berth-speaker'

/** MetalLB's own are named after the node. */
export const isForeignFrr = (configuration: Fields): boolean =>
  !metaOf(configuration).name.startsWith('metallb-')

/** Others configure it, or Berth leaves its sessions to it. */
export function needsFrr(
  frrConfigurations: readonly unknown[],
  daemonSets: readonly unknown[],
): boolean {
  const isUsed = (json: unknown) => usesFrr(new Fields(json, []))
  return (
    daemonSets.some(isUsed) || frrConfigurations.some((json) => isForeignFrr(new Fields(json, [])))
  )
}

/** Whether this is Berth's DaemonSet, and leaves its sessions to frr-k8s. */
export function usesFrr(daemonSet: Fields): boolean {
  const pod = daemonSet.inner('spec').inner('template').inner('spec')
  const args = pod.each('containers').flatMap((one) => one.texts('args'))
  return metaOf(daemonSet).name === speakerName && args.includes('--bgp-backend=frr-k8s')
}
