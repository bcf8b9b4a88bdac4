// Which steps lead from MetalLB to Berth on this cluster? Each is left out of the work once the API
// shows that it is done.
import { counted } from '../../../../core/net/counted.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { metallbController } from '../../../../edge/kube/decode/metallbController.ts'
import { resourceOf } from '../../../../edge/kube/kinds.ts'
import { keptText } from '../checkOwners.ts'
import { withoutKept } from '../helmRelease.ts'
import { hasMemberlist } from '../metallb.ts'
import { membersOf } from './berthSpeaker.ts'
import { controllerToBerth } from './controllerStep.ts'
import { heldSpeaker, isHeld, isOutdated } from './heldSpeakers.ts'
import { rollMetallb, toBerth } from './nodeSteps.ts'
import { type Progress, readProgress } from './progress.ts'
import type { Step, StepsOf } from './step.ts'
import { change, listed, Stopped, type Walk } from './walk.ts'

export const stepsIn: StepsOf = (progress, walk) => [
  installStep(progress, walk),
  keepStep(progress),
  peersStep(progress),
  speakersStep(progress),
  controllerStep(progress),
  ...nodeSteps(progress),
]

/** Ours to check, not to do: which image and which values is for the operator to say. */
function installStep(progress: Progress, { namespace }: Walk): Step {
  const missing = missingToInstall(progress, namespace)
  // Once the first node has changed over, what is missing on a new node stops nobody.
  const isPast = progress.nodes.some(({ isBerths }) => isBerths)
  return {
    name: 'install',
    title: 'Berth runs beside MetalLB and keeps silent',
    does: [`you run: ${installing(namespace)}`],
    isDone: missing === '' || isPast,
    isForPeople: true,
    run: async () => {
      throw new Stopped(missing)
    },
  }
}

/** The policies of deploy/kustomize name their namespace in expressions, which kustomize leaves. */
const installing = (namespace: string): string =>
  namespace === 'metallb-system'
    ? 'kubectl apply -k deploy/kustomize/beside-metallb'
    : `helm install berth deploy/helm/berth -n ${namespace} --set crds.metallb=false ` +
      '--set speaker.members.mode=nodes'

function missingToInstall({ berth, nodes, controllers }: Progress, namespace: string): string {
  const [other] = berth.elsewhere
  if (berth.controller === undefined && other !== undefined) {
    return (
      `Berth is in namespace ${other}, and MetalLB with its pools in ${namespace}. Berth reads ` +
      `pools only in its own namespace: remove it from ${other}, then ${installing(namespace)}`
    )
  }
  if (!berth.hasDefinitions || berth.controller === undefined) {
    return `Berth is not installed: ${installing(namespace)}`
  }
  if (berth.speaker === undefined || membersOf(berth.speaker) !== 'nodes') {
    return (
      'the DaemonSet berth-speaker does not run with --members=nodes: install it from a folder ' +
      'of deploy/kustomize that ends in beside-metallb, or set speaker.members.mode=nodes in ' +
      'the chart'
    )
  }
  const [first] = nodes.filter((node) => node.metallb !== undefined && node.berth === undefined)
  if (first !== undefined) return `Berth has no speaker on ${first.name} yet`
  return controllers.some(({ keptBy }) => keptBy !== '')
    ? "an operator keeps MetalLB as it is: 'berth migrate check' says how to remove it"
    : ''
}

function keepStep({ releases }: Progress): Step {
  return {
    name: 'keep',
    title: 'no Helm release deletes definitions or pools',
    does: releases.map(
      ({ name, namespace, kept }) =>
        `takes ${keptText(kept)} out of the release ${namespace}/${name}`,
    ),
    isDone: releases.length === 0,
    async run(walk) {
      for (const release of releases) {
        const { secret: name, namespace } = release
        await change(walk, { kind: 'Secret', name, namespace }, (secret) => ({
          ...secret,
          data: { release: withoutKept(release) },
        }))
      }
    },
  }
}

function peersStep({ peers }: Progress): Step {
  return {
    name: 'peers',
    title: 'BGPPeers are stored as v1beta2',
    does: ['stores every BGPPeer again', 'removes v1beta1 from the stored versions'],
    isDone: !peers.isStoredOld,
    async run(walk) {
      for (const peer of await listed(walk, 'BGPPeer')) {
        const { name, namespace } = peer.inner('metadata').json
        const at = { kind: 'BGPPeer', name: String(name), namespace: String(namespace) } as const
        await change(walk, at, (object) => object)
      }
      await walk.api.call({
        method: 'PATCH',
        path: pathOf(resourceOf('CustomResourceDefinition'), 'bgppeers.metallb.io', 'status'),
        contentType: 'application/merge-patch+json',
        body: { status: { storedVersions: ['v1beta2'] } },
      })
    },
  }
}

/** Held, and each of its pods is as the DaemonSet says. */
function speakersStep({ speakers, nodes, uses }: Progress): Step {
  const isOff = (one: (typeof speakers)[number]) => !uses.layer2 || !hasMemberlist(one)
  const old = nodes.filter(
    ({ metallb, isUnderWay, isBerths }) =>
      metallb !== undefined &&
      !isBerths &&
      (isUnderWay || speakers.some((one) => isOutdated(metallb.object, one))),
  )
  const turnsOff = speakers.some((one) => !isOff(one))
  return {
    name: 'speakers',
    writes: 'DaemonSet',
    title: "MetalLB's speakers elect among all nodes and can be stopped node by node",
    does: [
      'MetalLB keeps off nodes with the label berth.dev/announcer=berth; its pods are no longer ' +
        'replaced by themselves',
      ...(turnsOff ? ['turns memberlist off and replaces its speakers, one node at a time'] : []),
    ],
    isDone: speakers.every((one) => isHeld(one) && isOff(one)) && old.length === 0,
    async run(walk) {
      for (const { name, namespace } of speakers) {
        await change(walk, { kind: 'DaemonSet', name, namespace }, (daemonSet) => {
          const after = heldSpeaker(daemonSet, uses.layer2)
          return after === undefined ? undefined : { ...after }
        })
      }
      for (const speaker of (await readProgress(walk)).speakers) await rollMetallb(walk, speaker)
    },
  }
}

function controllerStep(progress: Progress): Step {
  const { controllers, webhooks, peers, berth } = progress
  const isStopped = controllers.every(({ object }) => metallbController(object)?.isUp !== true)
  const isConverted = !isMetallbs(peers.convertedBy)
  return {
    name: 'controller',
    writes: 'Deployment',
    title: "Berth's controller assigns addresses",
    does: [
      "scales MetalLB's controller to 0",
      'BGPPeers are converted by Berth',
      ...(webhooks.length === 0
        ? []
        : [`removes ${counted(webhooks.length, 'webhook configuration')}`]),
      'waits until Berth has adopted every address',
    ],
    isDone: isStopped && webhooks.length === 0 && isConverted && berth.adoption === 'done',
    run: (walk) => controllerToBerth(walk, progress),
  }
}

const isMetallbs = (service: string): boolean => service !== '' && !service.startsWith('berth-')

const nodeSteps = ({ nodes }: Progress): Step[] =>
  nodes
    .filter(({ metallb, isBerths }) => metallb !== undefined || isBerths)
    .map((node) => ({
      name: node.name,
      title: `Berth announces from ${node.name}`,
      does: ["drains the node, stops MetalLB's speaker there, lets Berth's announce"],
      isDone: node.isBerths && !node.isUnderWay && node.metallb === undefined,
      run: (walk: Walk) => toBerth(walk, node),
    }))
