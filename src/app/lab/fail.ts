// How does something fail, and how is it repaired? Cables are pulled and processes killed; each
// failure is recorded first, so that `heal` knows it.
import { Fault } from '../../edge/kube/api/fault.ts'
import { type Failure, type Lab, machineNamed, nodesOf } from './lab.ts'
import { writeLab } from './labFolder.ts'
import { type Port, portOn, type Wire } from './machine.ts'
import { routeAround, setPlugs } from './network.ts'
import { signal } from './processes.ts'
import { routersOf } from './routerConfig.ts'
import { routerTasks } from './routerTasks.ts'
import { speakerTask, startTask, taskOf } from './tasks.ts'

/** Returns a description of what was done. */
export function fail(lab: Lab, failure: Failure): string {
  const { kind, name } = failure
  const machine = machineNamed(lab, kind === 'api' ? 'control' : name)
  const role = kind === 'router' ? 'router' : 'node'
  if (kind !== 'api' && machine.role !== role) throw new Fault(`${name} is not a ${role}`)
  const others = lab.failures.filter((one) => one.kind !== kind || one.name !== name)
  writeLab({ ...lab, failures: [...others, failure] })
  // First: a speaker that sees its cable pulled would still hand over.
  const speaker = taskOf(lab, 'speaker', name)
  if ((kind === 'node' || kind === 'speaker') && speaker !== undefined) signal(speaker, 'SIGKILL')
  if (kind === 'router') {
    for (const { role: program } of routerTasks(lab, machine)) {
      const running = taskOf(lab, program, name)
      if (running !== undefined) signal(running, 'SIGKILL')
    }
    routeAround(lab.topology, goneRouters([...others, failure]))
  }
  setPlugs(lab.topology, pulledBy(lab, failure), 'down')
  return said[kind](machine.name)
}

const goneRouters = (failures: readonly Failure[]): ReadonlySet<string> =>
  new Set(failures.filter(({ kind }) => kind === 'router').map(({ name }) => name))

const said: Readonly<Record<Failure['kind'], (name: string) => string>> = {
  node: (name) => `${name} is gone: both cables pulled, its speaker killed`,
  link: (name) => `${name} is off the lan: its cable there is pulled, mgmt0 still works`,
  speaker: (name) => `the speaker of ${name} is killed; the node still works`,
  router: (name) => `${name} is gone: its cables pulled, its programs killed`,
  api: () => 'the API is unreachable: the cable of control is pulled',
}

const wiresOf: Readonly<Record<Failure['kind'], readonly Wire[]>> = {
  node: ['lan', 'mgmt'],
  link: ['lan'],
  speaker: [],
  router: ['lan', 'edge'],
  api: ['mgmt'],
}

function pulledBy(lab: Lab, { kind, name }: Failure): readonly Port[] {
  const machine = machineNamed(lab, kind === 'api' ? 'control' : name)
  return wiresOf[kind].flatMap((wire) => portOn(machine, wire) ?? [])
}

/** Repairs everything at once, including speakers that died; returns what was repaired. */
export function heal(lab: Lab): readonly string[] {
  const pulled = lab.failures.flatMap((failure) => pulledBy(lab, failure))
  setPlugs(lab.topology, pulled, 'up')
  let after: Lab = { ...lab, failures: [] }
  writeLab(after)
  if (goneRouters(lab.failures).size > 0) routeAround(lab.topology, new Set())
  for (const asked of routersOf(lab).flatMap((router) => routerTasks(lab, router))) {
    const isGone = taskOf(lab, asked.role, asked.machine) === undefined
    if (isGone) after = startTask(after, asked)
  }
  const gone =
    lab.settings.speakers === 'none'
      ? []
      : nodesOf(lab).filter(({ name }) => taskOf(lab, 'speaker', name) === undefined)
  for (const { name } of gone) after = startTask(after, speakerTask(after, name))
  return [
    ...lab.failures.map(({ kind, name }) => (kind === 'api' ? 'api' : `${kind} ${name}`)),
    ...gone.map(({ name }) => `speaker of ${name} started`),
  ]
}
