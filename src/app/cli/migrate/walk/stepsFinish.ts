// Which steps remove MetalLB for good, once Berth announces from every node?
import { releaseOf } from '../helmRelease.ts'
import { isOnNodes, membersOf, membersToPods } from './berthSpeaker.ts'
import { labelled, nodesNow } from './nodeSteps.ts'
import { notesName, type Progress } from './progress.ts'
import { type Own, removalCommands, removeAll } from './removal.ts'
import type { Step } from './step.ts'
import { unmarked } from './unmarked.ts'
import { remove, Stopped, type Walk } from './walk.ts'

export const stepsFinish = (progress: Progress, own: readonly Own[], walk: Walk): Step[] => [
  removeStep(progress, own, walk),
  membersStep(progress),
  tidyStep(progress, own),
]

function removeStep(
  { controllers, speakers, unreadReleases }: Progress,
  own: readonly Own[],
  { programs: { kubectl, helm } }: Walk,
): Step {
  const release = [...controllers, ...speakers]
    .filter((one) => one.installedBy === 'chart')
    .flatMap(({ object }) => releaseOf(object) ?? [])
    // Nobody knows what Helm would delete with one that cannot be read.
    .find((one) => !unreadReleases.includes(one))
  const [place, name] = release?.split('/') ?? []
  const command = `${helm} -n ${place} uninstall ${name}`
  return {
    name: 'remove',
    title: 'MetalLB is removed; definitions, pools and the namespace stay',
    does: release === undefined ? removalCommands(own, kubectl) : [`you run: ${command}`],
    isDone: own.length === 0,
    async run(walk) {
      await unmarked(walk)
      if (release !== undefined) throw new Stopped(`a Helm release owns MetalLB: ${command}`)
      await removeAll(walk, own)
    },
  }
}

function membersStep({ berth, nodes }: Progress): Step {
  const { speaker } = berth
  const strategy = speaker?.inner('spec').inner('updateStrategy').text('type')
  const isChanged = speaker === undefined || membersOf(speaker) === 'pods'
  return {
    name: 'members',
    title: "Berth's speakers watch each other",
    does: ['replaces them one node at a time, without --members=nodes'],
    isDone: isChanged && !nodes.some(isOnNodes) && strategy !== 'OnDelete',
    run: membersToPods,
  }
}

/** Labels of nodes, what was noted for the way back, and Helm's marks on the definitions. */
function tidyStep({ nodes }: Progress, own: readonly Own[]): Step {
  return {
    name: 'tidy',
    title: 'the migration leaves nothing behind',
    does: ['removes the labels of the nodes and the notes for the way back'],
    isDone: own.length === 0 && !nodes.some(({ isBerths }) => isBerths),
    async run(walk) {
      await unmarked(walk)
      await remove(walk, { kind: 'ConfigMap', name: notesName, namespace: walk.namespace })
      // Last: by these it is known that something is left.
      for (const { name } of await nodesNow(walk)) await labelled(walk, name, undefined)
    },
  }
}
