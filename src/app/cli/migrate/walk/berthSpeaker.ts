// How do Berth's speakers find each other, and how does that change without a gap? One node at a
// time, each drained first.
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { speakerName } from '../frrUse.ts'
import { onDrained } from './drained.ts'
import type { NodeProgress } from './nodeProgress.ts'
import { nodesNow, replaced, waitOn } from './nodeSteps.ts'
import { sessionsAreUp } from './sessions.ts'
import { change, type Walk } from './walk.ts'

const nodesFlag = '--members=nodes'

/** Of the DaemonSet, or of one of its pods. */
export function membersOf(object: Fields): 'nodes' | 'pods' {
  const spec = object.inner('spec')
  const pod = spec.has('template') ? spec.inner('template').inner('spec') : spec
  const args = pod.each('containers').flatMap((one) => one.texts('args'))
  return args.includes(nodesFlag) ? 'nodes' : 'pods'
}

export const isOnNodes = ({ berth }: NodeProgress): boolean =>
  berth !== undefined && membersOf(berth.object) === 'nodes'

/** The strategy is put back last: by then no pod is left to replace. */
export async function membersToPods(walk: Walk): Promise<void> {
  await changed(walk, { type: 'OnDelete' })
  for (const node of await nodesNow(walk)) {
    const { berth } = node
    if (berth === undefined || (!isOnNodes(node) && !node.isUnderWay)) continue
    walk.io.err(`  ${node.name}: Berth's speaker is replaced\n`)
    await onDrained(walk, node, async () => {
      if (isOnNodes(node)) await replaced(walk, node.name, berth)
      await waitOn(walk, node.name, (now) =>
        now.berth?.isReady === true ? '' : `Berth's speaker on ${node.name} is not ready`,
      )
      await sessionsAreUp(walk, node.name)
    })
  }
  await changed(walk, { type: 'RollingUpdate' })
}

function changed(walk: Walk, updateStrategy: object): Promise<void> {
  const at = { kind: 'DaemonSet', name: speakerName, namespace: walk.namespace } as const
  return change(walk, at, (daemonSet) => {
    const object = new Fields(daemonSet, [])
    const spec = object.inner('spec')
    const template = spec.inner('template')
    const pod = template.inner('spec')
    const containers = pod.each('containers').map((one) => ({
      ...one.json,
      ...(one.has('args') ? { args: one.texts('args').filter((arg) => arg !== nodesFlag) } : {}),
    }))
    const newTemplate = { ...template.json, spec: { ...pod.json, containers } }
    const metadata = { ...object.inner('metadata').json, annotations: metaOf(object).annotations }
    return { ...daemonSet, metadata, spec: { ...spec.json, template: newTemplate, updateStrategy } }
  })
}
