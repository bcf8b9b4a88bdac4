// Does MetalLB still run, and in which BGP mode? Finds its Deployment and DaemonSet by label or
// name.
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { isMetallb, metallbController } from '../../../edge/kube/decode/metallbController.ts'
import type { CheckFinding } from './checkFinding.ts'

export function deploymentFindings(deployments: readonly unknown[]): CheckFinding[] {
  return deployments
    .map((json) => new Fields(json, []))
    .filter((object) => metallbController(object) && object.inner('spec').number('replicas') !== 0)
    .map((object) => {
      const { name, namespace } = metaOf(object)
      const scale = `kubectl -n ${namespace} scale deployment ${name} --replicas=0`
      return {
        code: 'metallb-controller-runs',
        severity: 'error',
        object: `Deployment/${namespace}/${name}`,
        message: 'the MetalLB controller assigns addresses; stop it before Berth starts to',
        fixes: [stopOf(object, scale)],
      }
    })
}

/** An operator would restart it, so the operator's object has to be deleted instead. */
function stopOf(object: Fields, stop: string): string {
  const owner = object
    .inner('metadata')
    .each('ownerReferences')
    .find((one) => one.text('kind') === 'MetalLB')
  if (owner === undefined) return stop
  return `kubectl -n ${metaOf(object).namespace} delete metallb ${owner.text('name')}`
}

export function daemonSetFindings(daemonSets: readonly unknown[]): CheckFinding[] {
  return daemonSets
    .map((json) => new Fields(json, []))
    .filter((object) => isMetallb(object) && !isStopped(object))
    .flatMap((object) => {
      const { name, namespace } = metaOf(object)
      const id = `DaemonSet/${namespace}/${name}`
      const selector = '{"spec":{"template":{"spec":{"nodeSelector":{"berth.dev/stopped":"yes"}}}}}'
      const patch = `kubectl -n ${namespace} patch daemonset ${name} -p '${selector}'`
      return [speaking(id, stopOf(object, patch)), ...bgpMode(id, object)]
    })
}

function speaking(object: string, fix: string): CheckFinding {
  const message =
    'the MetalLB speaker announces addresses; stop it once another speaker announces them'
  return { code: 'metallb-speaker-runs', severity: 'warning', object, message, fixes: [fix] }
}

function bgpMode(object: string, daemonSet: Fields): CheckFinding[] {
  const pod = daemonSet.inner('spec').inner('template').inner('spec')
  const variables = pod.each('containers').flatMap((container) => container.each('env'))
  const mode = variables.find((one) => one.text('name') === 'METALLB_BGP_TYPE')?.text('value')
  if (mode === undefined || mode === '' || mode === 'native') return []
  const lacking = 'which has graceful restart, and Berth has not: compare first'
  const message = `its BGP mode is ${mode}, ${lacking}`
  return [{ code: 'metallb-bgp-mode', severity: 'warning', object, message, fixes: [] }]
}

/** Runs on no node, and the DaemonSet's controller has seen the current spec. */
function isStopped(object: Fields): boolean {
  const status = object.inner('status')
  const isSeen =
    status.number('observedGeneration') === object.inner('metadata').number('generation')
  return isSeen && status.number('desiredNumberScheduled') === 0
}
