// Which programs make up a lab, and where does each run? Started with the commands a user types.
import { isAlive } from '../../edge/host/process.ts'
import { apiPort } from './addresses.ts'
import { type Lab, machineNamed, nodesOf, type Task } from './lab.ts'
import { writeLab } from './labFolder.ts'
import { keyFileOf, kubeconfigOf, logOf } from './labPaths.ts'
import { portOn } from './machine.ts'
import { berth, inside } from './ownCommand.ts'
import { startIn } from './processes.ts'

export type Asked = { readonly role: string; readonly machine: string; readonly command: string[] }

/** Recorded at once, so that `down` finds it even after a crash. */
export function startTask(lab: Lab, { role, machine, command }: Asked): Lab {
  const { namespace } = machineNamed(lab, machine)
  const process = startIn({ namespace, command, log: logOf(lab, role, machine) })
  const others = lab.tasks.filter((task) => !(task.role === role && task.machine === machine))
  const after = { ...lab, tasks: [...others, { ...process, role, machine }] }
  writeLab(after)
  return after
}

export const taskOf = ({ tasks }: Lab, role: string, machine: string): Task | undefined =>
  tasks.find((task) => task.role === role && task.machine === machine && isAlive(task))

export function embeddedTasks(lab: Lab): readonly Asked[] {
  const listen = portOn(machineNamed(lab, 'control'), 'mgmt')?.addresses[4] ?? ''
  const data = ['--data', `${lab.folder}/api`, '--port', String(apiPort), '--listen', listen]
  return [
    { role: 'api', machine: 'control', command: berth('up', '--no-node', ...data) },
    { role: 'endpoints', machine: 'control', command: inside(lab, 'endpoints') },
  ]
}

/** Only without `berth up`, which has its own controller. */
export function controllerTask(lab: Lab): Asked {
  const quiet = ['--port', '0', '--health-probe-port', '0', '--webhook-mode', 'disabled']
  const args = ['--kubeconfig', kubeconfigOf(lab), ...quiet]
  return { role: 'controller', machine: 'control', command: berth('controller', ...args) }
}

export const nodeTasks = (lab: Lab): readonly Asked[] =>
  nodesOf(lab).map(({ name }) => ({
    role: 'node',
    machine: name,
    command: inside(lab, 'node', name),
  }))

/** As the DaemonSet starts it, so that memory figures match. */
const asDeployed = [
  'NODE_OPTIONS=--max-old-space-size=128 --max-semi-space-size=1',
  ...['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072'],
]

export function speakerTask(lab: Lab, node: string): Asked {
  const members = nodesOf(lab).map(
    (machine) => `${machine.name}=${portOn(machine, 'mgmt')?.addresses[4]}`,
  )
  const args = [
    ...['--node-name', node, '--kubeconfig', kubeconfigOf(lab)],
    ...['--members', members.join(','), '--members-key-file', keyFileOf(lab)],
  ]
  return {
    role: 'speaker',
    machine: node,
    command: [...asDeployed, ...berth('speaker', ...args, ...lab.settings.speakerArgs)],
  }
}
