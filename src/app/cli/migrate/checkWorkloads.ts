// Does MetalLB still run, who keeps it running, and how do its speakers find each other?
import { leaseName } from '../../../edge/kube/adoption.ts'
import { type CheckFinding, walkFixes } from './checkFinding.ts'
import { hasMemberlist, type Workload } from './metallb.ts'
import { berthIn } from './place.ts'

export function controllerFindings(controllers: readonly Workload[]): CheckFinding[] {
  return controllers
    .filter(({ object }) => object.inner('spec').number('replicas') !== 0)
    .flatMap((controller) => {
      const { name, namespace } = controller
      return [
        ...operatorFindings(controller),
        {
          code: 'metallb-controller-runs',
          severity: 'error',
          object: `Deployment/${namespace}/${name}`,
          message: 'the MetalLB controller assigns addresses, and Berth waits until it has stopped',
          fixes: walkFixes,
        } as const,
      ]
    })
}

/** Berth reads pools in its own namespace, as MetalLB does. */
export function elsewhereFindings(
  namespace: string,
  controllers: readonly Workload[],
  deployments: readonly unknown[],
): CheckFinding[] {
  const [metallb] = controllers
  const places = berthIn(deployments)
  const [other] = places
  if (metallb === undefined || other === undefined || places.includes(namespace)) return []
  return [
    {
      code: 'metallb-elsewhere',
      severity: 'error',
      object: `Deployment/${other}/${leaseName}`,
      message:
        `Berth is in namespace ${other}, and MetalLB with its pools in ${namespace}. Berth reads ` +
        `pools only in its own namespace: install it in ${namespace}, and remove it from ${other}`,
      fixes: [],
    },
  ]
}

/** An operator undoes every change of what it keeps. */
function operatorFindings({ namespace, keptBy }: Workload): CheckFinding[] {
  if (keptBy === '') return []
  return [
    {
      code: 'operator-keeps-metallb',
      severity: 'error',
      object: `MetalLB/${namespace}/${keptBy}`,
      message:
        'the MetalLB operator undoes each change of what it keeps: remove the operator, its ' +
        'Subscription first if OLM installed it. The controller, the speakers, the definitions ' +
        'and the pools stay. Do not delete the MetalLB object: that stops all speakers at once',
      fixes: [
        `kubectl -n ${namespace} delete subscription,clusterserviceversion ` +
          `-l operators.coreos.com/metallb-operator.${namespace}`,
        `kubectl -n ${namespace} delete deployment -l control-plane=controller-manager`,
      ],
    },
  ]
}

export function speakerFindings(
  speakers: readonly Workload[],
  announces: { readonly layer2: boolean },
): CheckFinding[] {
  return speakers
    .filter((speaker) => !isStopped(speaker))
    .flatMap((speaker) => [
      speaking(speaker),
      ...(announces.layer2 ? memberlistFindings(speaker) : []),
    ])
}

function speaking({ name, namespace }: Workload): CheckFinding {
  return {
    code: 'metallb-speaker-runs',
    severity: 'warning',
    object: `DaemonSet/${namespace}/${name}`,
    message:
      'the MetalLB speaker announces addresses; Berth takes over one node after the other, each ' +
      'drained first',
    fixes: walkFixes,
  }
}

function memberlistFindings(speaker: Workload): CheckFinding[] {
  if (!hasMemberlist(speaker)) return []
  const { name, namespace } = speaker
  return [
    {
      code: 'memberlist-on',
      severity: 'warning',
      object: `DaemonSet/${namespace}/${name}`,
      message:
        'its speakers elect among those that memberlist shows them, and do not see those of ' +
        'Berth: while both announce, addresses would have two owners. It is turned off before ' +
        'the first node changes over',
      fixes: walkFixes,
    },
  ]
}

/** Runs on no node, and the DaemonSet's controller has seen the current spec. */
function isStopped({ object }: Workload): boolean {
  const status = object.inner('status')
  const isSeen =
    status.number('observedGeneration') === object.inner('metadata').number('generation')
  return isSeen && status.number('desiredNumberScheduled') === 0
}
