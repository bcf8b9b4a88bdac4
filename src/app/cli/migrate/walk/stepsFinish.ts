// Which steps remove MetalLB for good, once Berth announces from every node?
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { isOnNodes, membersOf, membersToPods } from './berthSpeaker.ts'
import { labelled, nodesNow } from './nodeSteps.ts'
import { notesName, type Progress } from './progress.ts'
import { type Own, removalCommands, removeAll } from './removal.ts'
import type { Step } from './step.ts'
import { change, listed, remove, Stopped, type Walk } from './walk.ts'

export const stepsFinish = (progress: Progress, own: readonly Own[]): Step[] => [
  removeStep(progress, own),
  membersStep(progress),
  tidyStep(progress, own),
]

function removeStep({ controllers, speakers }: Progress, own: readonly Own[]): Step {
  const charted = [...controllers, ...speakers].find((one) => one.installedBy === 'chart')
  const release = charted === undefined ? '' : metaOf(charted.object).annotations[releaseName]
  const command = `helm -n ${charted?.namespace} uninstall ${release}`
  return {
    name: 'remove',
    title: 'MetalLB is removed; definitions, pools and the namespace stay',
    does: charted === undefined ? removalCommands(own) : [`you run: ${command}`],
    isDone: own.length === 0,
    async run(walk) {
      if (charted !== undefined) throw new Stopped(`a Helm release owns MetalLB: ${command}`)
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

const releaseName = 'meta.helm.sh/release-name'
const helmMarks = new Set([releaseName, 'meta.helm.sh/release-namespace'])

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

/** So that another release may take the definitions over. */
async function unmarked(walk: Walk): Promise<void> {
  for (const crd of await listed(walk, 'CustomResourceDefinition')) {
    const { name, annotations } = metaOf(crd)
    const isOurs = crd.inner('spec').text('group') === 'metallb.io'
    if (!isOurs || annotations[releaseName] === undefined) continue
    await change(walk, { kind: 'CustomResourceDefinition', name }, (object) => {
      const metadata = new Fields(object['metadata'], [])
      const kept = Object.entries(metadata.labels('annotations')).filter(
        ([key]) => !helmMarks.has(key),
      )
      const { 'app.kubernetes.io/managed-by': _, ...labels } = metadata.labels('labels')
      const after = { ...metadata.json, labels, annotations: Object.fromEntries(kept) }
      return { ...object, metadata: after }
    })
  }
}
