// What is said when the walk stops? Which nodes it left drained, and who undoes what it does.
import { Fault } from '../../../../edge/kube/api/fault.ts'
import type { Fields } from '../../../../edge/kube/decode/fields.ts'
import { nodesFrom } from './nodeProgress.ts'
import type { Progress } from './progress.ts'
import { listed, readOne, type Walk } from './walk.ts'

/** A line for each node; none where the API cannot be asked any more. */
export async function drainedText(walk: Walk): Promise<string> {
  try {
    return nodesFrom(await listed(walk, 'Node'), [])
      .filter(({ isUnderWay, drained }) => isUnderWay && drained === 'by-berth')
      .map(
        ({ name }) =>
          `${name} is drained and announces nothing until the walk goes on, or until ` +
          `you run: berth undrain ${name}\n`,
      )
      .join('')
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return 'A node may be drained; berth status shows it once the API server answers.\n'
  }
}

/** As in `: DaemonSet a/speaker was last written by helm`. */
export async function undoneBy(
  walk: Walk,
  { speakers, controllers }: Pick<Progress, 'speakers' | 'controllers'>,
): Promise<string> {
  const said: string[] = []
  for (const [kind, all] of [
    ['DaemonSet', speakers],
    ['Deployment', controllers],
  ] as const) {
    for (const { name, namespace } of all) {
      const object = await readOne(walk, { kind, name, namespace })
      const manager = object === undefined ? '' : lastWriter(object)
      if (manager !== '') said.push(`${kind} ${namespace}/${name} was last written by ${manager}`)
    }
  }
  const who = said.length === 0 ? '' : `: ${said.join(', ')}`
  return `${who}. Stop whatever keeps MetalLB as it was, such as Argo CD, Flux or an operator`
}

const ours = 'berth'

/** Of the object itself; what became of it is written by Kubernetes. */
function lastWriter(object: Fields): string {
  const [last] = object
    .inner('metadata')
    .each('managedFields')
    .filter((one) => one.text('subresource') === '')
    .sort((one, other) => (one.text('time') > other.text('time') ? -1 : 1))
  const manager = last?.text('manager') ?? ''
  return manager === ours ? '' : manager
}
