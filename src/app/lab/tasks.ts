// Which programs make up a lab, and where does each run? The same commands as a user types.
import { isAlive } from '../../edge/host/process.ts'
import { apiPort } from './addresses.ts'
import { type Lab, nodesOf, placeOf, type Task } from './lab.ts'
import { writeLab } from './labFolder.ts'
import { keyFileOf, kubeconfigOf, logOf } from './labPaths.ts'
import { berth, inside } from './ownCommand.ts'
import { portOn } from './place.ts'
import { startIn } from './processes.ts'

export type Asked = { readonly role: string; readonly place: string; readonly command: string[] }

/** Written down before it is known to run: what a crash leaves must be found. */
export function startTask(lab: Lab, { role, place, command }: Asked): Lab {
  const { namespace } = placeOf(lab, place)
  const process = startIn({ namespace, command, log: logOf(lab, role, place) })
  const others = lab.tasks.filter((task) => !(task.role === role && task.place === place))
  const after = { ...lab, tasks: [...others, { ...process, role, place }] }
  writeLab(after)
  return after
}

export const taskOf = ({ tasks }: Lab, role: string, place: string): Task | undefined =>
  tasks.find((task) => task.role === role && task.place === place && isAlive(task))

export function embeddedTasks(lab: Lab): readonly Asked[] {
  const listen = portOn(placeOf(lab, 'control'), 'mgmt')?.addresses[4] ?? ''
  const data = ['--data', `${lab.folder}/api`, '--port', String(apiPort), '--listen', listen]
  return [
    { role: 'api', place: 'control', command: berth('up', ...data) },
    { role: 'endpoints', place: 'control', command: inside(lab, 'endpoints') },
  ]
}

/** Where the API is not `berth up`, which has one. */
export function controllerTask(lab: Lab): Asked {
  const quiet = ['--port', '0', '--health-probe-port', '0', '--webhook-mode', 'disabled']
  const args = ['--kubeconfig', kubeconfigOf(lab), ...quiet]
  return { role: 'controller', place: 'control', command: berth('controller', ...args) }
}

export const nodeTasks = (lab: Lab): readonly Asked[] =>
  nodesOf(lab).map(({ name }) => ({
    role: 'node',
    place: name,
    command: inside(lab, 'node', name),
  }))

/** As the DaemonSet starts it, so that it takes as much memory as there. */
const asDeployed = [
  'NODE_OPTIONS=--max-old-space-size=128 --max-semi-space-size=1',
  ...['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072'],
]

export function speakerTask(lab: Lab, node: string): Asked {
  const members = nodesOf(lab).map(
    (place) => `${place.name}=${portOn(place, 'mgmt')?.addresses[4]}`,
  )
  const args = [
    ...['--node-name', node, '--kubeconfig', kubeconfigOf(lab)],
    ...['--members', members.join(','), '--members-key-file', keyFileOf(lab)],
  ]
  return {
    role: 'speaker',
    place: node,
    command: [...asDeployed, ...berth('speaker', ...args, ...lab.settings.speakerArgs)],
  }
}
