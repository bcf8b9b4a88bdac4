// Which steps lead back to MetalLB? Those of the way in, in reverse: nodes, controller, speakers,
// and then Berth goes.

import type { ReadonlyWorld } from '../../../../core/model/world.ts'
import { counted } from '../../../../core/net/counted.ts'
import { familyOf } from '../../../../core/net/ip.ts'
import { poolStatus } from '../../../../core/policy/poolStatus.ts'
import { leaseName } from '../../../../edge/kube/adoption.ts'
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { metallbController } from '../../../../edge/kube/decode/metallbController.ts'
import { controllerToMetallb } from './controllerStep.ts'
import { isNoted, isOutdated, restoredPod, restoredStrategy } from './heldSpeakers.ts'
import { rollMetallb, toMetallb } from './nodeSteps.ts'
import { notesName, type Progress, readProgress } from './progress.ts'
import { type Own, removalCommands, removeAll } from './removal.ts'
import type { Step } from './step.ts'
import { change, listed, remove, Stopped, type Walk } from './walk.ts'

type BackPlan = {
  readonly own: readonly Own[]
  /** What MetalLB would move on its start. */
  readonly moves: readonly string[]
  readonly acceptsMoves: boolean
  readonly walk: Walk
}

export const stepsBack = (progress: Progress, plan: BackPlan): Step[] => [
  presentStep(progress),
  ...nodeSteps(progress),
  controllerStep(progress, plan),
  restoreStep(progress),
  removeStep(plan),
]

function presentStep({ controllers, speakers }: Progress): Step {
  return {
    name: 'metallb',
    title: 'MetalLB is installed',
    does: ["you apply MetalLB's manifests or chart again"],
    isDone: controllers.length > 0 && speakers.length > 0,
    isForPeople: true,
    run: async () => {
      throw new Stopped(
        'MetalLB is not installed: apply its manifests or chart again, then run this again. ' +
          "Berth's controller waits as soon as MetalLB's is there, and its speakers fall silent",
      )
    },
  }
}

const nodeSteps = ({ nodes, speakers }: Progress): Step[] =>
  nodes
    .filter(({ metallb, isBerths, isUnderWay }) => metallb !== undefined || isBerths || isUnderWay)
    .filter(() => speakers.length > 0)
    .map((node) => ({
      name: node.name,
      title: `MetalLB announces from ${node.name}`,
      does: ["drains the node, lets MetalLB's speaker start there, Berth's falls silent"],
      isDone: !node.isBerths && !node.isUnderWay && node.metallb?.isReady === true,
      run: (walk: Walk) => toMetallb(walk, node),
    }))

function controllerStep(progress: Progress, { moves, acceptsMoves }: BackPlan): Step {
  const { controllers, berth } = progress
  const isUp = controllers.some(({ object }) => metallbController(object)?.isUp === true)
  const left = berth.controller?.inner('spec').number('replicas') ?? 0
  return {
    name: 'controller',
    writes: 'Deployment',
    title: "MetalLB's controller assigns addresses",
    does: [
      ...moves,
      "starts MetalLB's controller, gives it back its webhooks and the conversion of BGPPeers",
      "scales Berth's controller to 0, then removes its Lease, conditions and Addresses",
    ],
    isDone: isUp && left === 0 && berth.adoption === undefined && !berth.hasRecords,
    async run(walk) {
      const [first] = moves
      if (first !== undefined && !acceptsMoves) {
        throw new Stopped(`${first}. Run it again with --accept-moves if that is fine`)
      }
      await controllerToMetallb(walk, progress)
    },
  }
}

function restoreStep({ speakers, nodes }: Progress): Step {
  const isOld = nodes.some(({ metallb }) =>
    speakers.some((one) => metallb !== undefined && isOutdated(metallb.object, one)),
  )
  return {
    name: 'speakers',
    writes: 'DaemonSet',
    title: "MetalLB's DaemonSet is as it was",
    does: ['memberlist, affinity and update strategy as before, one node at a time'],
    isDone: speakers.length > 0 && !speakers.some(isNoted) && !isOld,
    async run(walk) {
      const write = async (changed: typeof restoredPod) => {
        for (const { name, namespace } of speakers) {
          await change(walk, { kind: 'DaemonSet', name, namespace }, (daemonSet) => {
            const after = changed(daemonSet)
            return after === undefined ? undefined : { ...after }
          })
        }
      }
      await write(restoredPod)
      for (const speaker of (await readProgress(walk)).speakers) await rollMetallb(walk, speaker)
      await write(restoredStrategy)
    },
  }
}

function removeStep({ own, walk: { programs } }: BackPlan): Step {
  return {
    name: 'remove',
    title: 'Berth is removed; definitions, Tenants and their pools stay',
    does: removalCommands(own, programs.kubectl),
    isDone: own.length === 0,
    async run(walk) {
      await removeAll(walk, own, () => removeReports(walk))
    },
  }
}

/** What its programs wrote; before the rest, so that a walk that is killed here comes back. */
async function removeReports(walk: Walk): Promise<void> {
  for (const kind of ['NodeInterfaces', 'BGPSession'] as const) {
    for (const one of await listed(walk, kind)) await remove(walk, { kind, name: metaOf(one).name })
  }
  const { namespace } = walk
  await remove(walk, { kind: 'Lease', name: leaseName, namespace })
  await remove(walk, { kind: 'ConfigMap', name: notesName, namespace })
}

/**
 * MetalLB gives each PreferDualStack Service with one address a second one on its start, in any
 * order: where too few are free it takes one that another Service shows.
 */
export function movesOf(world: ReadonlyWorld): string[] {
  const wanting = [...world.services.values()].filter(
    ({ isLoadBalancer, familyPolicy, ingress, clusterFamilies }) =>
      isLoadBalancer &&
      familyPolicy === 'PreferDualStack' &&
      ingress.length === 1 &&
      clusterFamilies.length === 2,
  )
  return [...world.pools.values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((pool) => {
      const { availableIPv4, availableIPv6, assignedIPv4, assignedIPv6 } = poolStatus(world, pool)
      return (['IPv4', 'IPv6'] as const).flatMap((family) => {
        const here = wanting.filter(
          ({ recordedPool, ingress: [ip] }) =>
            recordedPool === pool.name && ip !== undefined && familyOf(ip) !== family,
        )
        const free = family === 'IPv4' ? availableIPv4 : availableIPv6
        const held = family === 'IPv4' ? assignedIPv4 : assignedIPv6
        if (held + free === 0n || BigInt(here.length) <= free) return []
        return [
          moveText({ family, pool: pool.name, here: here.map(({ key }) => key).sort(), free }),
        ]
      })
    })
}

type Move = {
  readonly family: string
  readonly pool: string
  readonly here: readonly string[]
  readonly free: bigint
}

function moveText({ family, pool, here, free }: Move): string {
  const some = here.slice(0, 3).join(', ') + (here.length > 3 ? ', ...' : '')
  return (
    `on its start, MetalLB looks for ${family} addresses in pool ${pool} for ` +
    `${counted(here.length, 'Service')} with PreferDualStack (${some}); ` +
    `${counted(Number(free), 'address', 'addresses')} free, so it may take those of others. Set ` +
    'ipFamilyPolicy: SingleStack there, or add addresses to the pool'
  )
}
