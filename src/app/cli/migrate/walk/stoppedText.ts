// What is said when the walk stops? Which nodes it left drained, and who undoes what it does.
import { Fault } from '../../../../edge/kube/api/fault.ts'
import type { Fields } from '../../../../edge/kube/decode/fields.ts'
import { nodesFrom } from './nodeProgress.ts'
import type { Progress } from './progress.ts'
import type { Step } from './step.ts'
import { listed, readOne, type Walk } from './walk.ts'

const withinMs = 5_000

/**
 * A line for each node; none where the API cannot be asked any more. The walk's own signal may have
 * stopped it, which is when this is needed most.
 */
export async function drainedText({ api, io }: Pick<Walk, 'api' | 'io'>): Promise<string> {
  const walk = { api, io: { ...io, signal: AbortSignal.timeout(withinMs) } }
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

/** Of what the step writes also by whom, as in `DaemonSet a/speaker was last written by helm`. */
export async function undoneText(
  walk: Walk,
  { speakers, controllers }: Pick<Progress, 'speakers' | 'controllers'>,
  kind: Step['writes'],
): Promise<string> {
  if (kind === undefined) return 'this step did not stay done'
  const said: string[] = []
  for (const { name, namespace } of kind === 'DaemonSet' ? speakers : controllers) {
    const object = await readOne(walk, { kind, name, namespace })
    const manager = object === undefined ? '' : lastWriter(object)
    if (manager !== '') said.push(`${kind} ${namespace}/${name} was last written by ${manager}`)
  }
  const who = said.length === 0 ? '' : `: ${said.join(', ')}`
  return (
    `somebody undid this step${who}. ` +
    'Stop whatever keeps MetalLB as it was, such as Argo CD, Flux or an operator'
  )
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
