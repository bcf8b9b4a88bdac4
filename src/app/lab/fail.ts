// How does something break, and how is it mended? Cables are pulled and processes killed; each is
// written down before it is done, so that `heal` knows it.
import { Fault } from '../../edge/kube/api/fault.ts'
import { type Failure, type Lab, nodesOf, placeOf } from './lab.ts'
import { writeLab } from './labFolder.ts'
import { routeAround, setPlugs } from './network.ts'
import { type Port, portOn, type Wire } from './place.ts'
import { signal } from './processes.ts'
import { routersOf } from './routerConfig.ts'
import { routerTasks } from './routerTasks.ts'
import { speakerTask, startTask, taskOf } from './tasks.ts'

/** What was done, in words. */
export function fail(lab: Lab, failure: Failure): string {
  const { kind, name } = failure
  const place = placeOf(lab, kind === 'api' ? 'control' : name)
  const role = kind === 'router' ? 'router' : 'node'
  if (kind !== 'api' && place.role !== role) throw new Fault(`${name} is not a ${role}`)
  const others = lab.failures.filter((one) => one.kind !== kind || one.name !== name)
  writeLab({ ...lab, failures: [...others, failure] })
  // First: one that sees its cable pulled would still hand over.
  const speaker = taskOf(lab, 'speaker', name)
  if ((kind === 'node' || kind === 'speaker') && speaker !== undefined) signal(speaker, 'SIGKILL')
  if (kind === 'router') {
    for (const { role: program } of routerTasks(lab, place)) {
      const running = taskOf(lab, program, name)
      if (running !== undefined) signal(running, 'SIGKILL')
    }
    routeAround(lab.topology, goneRouters([...others, failure]))
  }
  setPlugs(lab.topology, pulledBy(lab, failure), 'down')
  return said[kind](place.name)
}

const goneRouters = (failures: readonly Failure[]): ReadonlySet<string> =>
  new Set(failures.filter(({ kind }) => kind === 'router').map(({ name }) => name))

const said: Readonly<Record<Failure['kind'], (name: string) => string>> = {
  node: (name) => `${name} is gone: both cables pulled, its speaker killed`,
  link: (name) => `${name} is off the lan: that cable is pulled, mgmt0 goes on`,
  speaker: (name) => `the speaker of ${name} is killed; the node goes on`,
  router: (name) => `${name} is gone: its cables pulled, its programs killed`,
  api: () => 'nobody reaches the API: the cable of control is pulled',
}

const wiresOf: Readonly<Record<Failure['kind'], readonly Wire[]>> = {
  node: ['lan', 'mgmt'],
  link: ['lan'],
  speaker: [],
  router: ['lan', 'edge'],
  api: ['mgmt'],
}

function pulledBy(lab: Lab, { kind, name }: Failure): readonly Port[] {
  const place = placeOf(lab, kind === 'api' ? 'control' : name)
  return wiresOf[kind].flatMap((wire) => portOn(place, wire) ?? [])
}

/** Everything at once, also speakers that ended by themselves; what was mended, in words. */
export function heal(lab: Lab): readonly string[] {
  const pulled = lab.failures.flatMap((failure) => pulledBy(lab, failure))
  setPlugs(lab.topology, pulled, 'up')
  let after: Lab = { ...lab, failures: [] }
  writeLab(after)
  if (goneRouters(lab.failures).size > 0) routeAround(lab.topology, new Set())
  for (const asked of routersOf(lab).flatMap((router) => routerTasks(lab, router))) {
    const isGone = taskOf(lab, asked.role, asked.place) === undefined
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
