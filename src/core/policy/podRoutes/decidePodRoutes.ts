// What becomes of a BGPConfiguration? An FRRConfiguration for each pod of its namespace that has
// addresses of its own, so that the routers of the pod's node announce them (R16).
import type { Changed } from '../../model/changed.ts'
import type { BgpConfiguration, FrrConfiguration } from '../../model/podRoutes/podRoutes.ts'
import { refOf } from '../../model/ref.ts'
import { isSame } from '../../model/sameView.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Write } from '../../model/write.ts'
import type { KeptDecider } from '../decider.ts'
import { routesOf } from './routeObjects.ts'
import { routesOfPods } from './routesOfPods.ts'
import { routesStatus, type Told } from './routesStatus.ts'

/** Whether every pod of the namespace is known; a word that says why not. */
export type PodsKnown = (namespace: string) => 'known' | 'not listed yet' | 'forbidden'

/** What an object of the World does not show, such as an address given to a Service since. */
const againInS = 300
/** Until their list is in. */
const soonInS = 1

export const podRoutes = (podsKnown: PodsKnown): KeptDecider => ({
  name: 'pod-routes',
  kind: 'BGPConfiguration',
  reads: [
    ...['BGPConfiguration', 'Pod', 'FRRConfiguration', 'NetworkAttachmentDefinition'],
    ...['Namespace', 'Node', 'Tenant', 'Service', 'IPAddressPool'],
  ] as const,
  isPrompt: true,
  atOnce: 8,
  wakes: woken,
  decide(world, key, now = '') {
    const configuration = world.all('BGPConfiguration').get(key)
    if (configuration === undefined) return { writes: orphans(world, key) }
    if (configuration.isGoing) return { writes: farewell(world, configuration) }
    const first = firstIn(world, configuration.namespace)
    const known = world.obstacles.isServed('Pod')
      ? podsKnown(configuration.namespace)
      : 'not listed yet'
    if (known === 'not listed yet') return { writes: [], againInS: soonInS }
    return { writes: writesFor(world, { configuration, first, known, now }), againInS }
  },
})

function woken(changed: Changed, world: ReadonlyWorld): Iterable<string> {
  const all = world.all('BGPConfiguration')
  if (changed.type === 'refusal') return keysOf(world, ({ name }) => name === changed.key)
  if (changed.type !== 'object') return changed.kind === 'FRRConfiguration' ? all.keys() : []
  const [namespace] = changed.key.split('/')
  const beside = () => keysOf(world, (one) => one.namespace === namespace)
  if (changed.kind === 'BGPConfiguration') return [changed.key, ...beside()]
  if (changed.kind === 'Pod') return beside()
  if (changed.kind === 'Service' || changed.kind === 'IPAddressPool') {
    return hasMoved(changed) ? all.keys() : []
  }
  if (changed.kind !== 'FRRConfiguration') return all.keys()
  return [...all.keys(), ...[changed.before, changed.after].flatMap(configurationOf)]
}

const keysOf = (world: ReadonlyWorld, is: (one: BgpConfiguration) => boolean): readonly string[] =>
  [...world.all('BGPConfiguration').values()].filter(is).map(({ key }) => key)

type ObjectChange = Extract<Changed, { type: 'object' }>

function hasMoved({ before, after }: ObjectChange): boolean {
  return !isSame(placesOf(before), placesOf(after))
}

function placesOf(view: ObjectChange['after']): unknown {
  if (view?.kind === 'Service') return view.ingress
  return view?.kind === 'IPAddressPool' ? view.ranges : []
}

/** One whose configuration went while nobody looked is found by what it left. */
const configurationOf = (view: ObjectChange['after']): readonly string[] =>
  view?.kind === 'FRRConfiguration' && view.routeOf !== undefined
    ? [view.routeOf.configuration]
    : []

/** Without a definition of the kind nobody has deleted anything (R3.13). */
const orphans = (world: ReadonlyWorld, key: string): readonly Write[] =>
  world.obstacles.isServed('BGPConfiguration') ? routesOf(world, key).map(withdrawn) : []

const withdrawn = ({ kind, name, namespace }: FrrConfiguration): Write => ({
  type: 'delete',
  of: { kind, name, namespace },
})

/** Upstream's; nothing of ours hangs on it. */
const finalizer = 'openstack.org/bgpconfiguration'

function farewell(world: ReadonlyWorld, configuration: BgpConfiguration): readonly Write[] {
  const { kind, key, name, namespace, finalizers } = configuration
  const routes = routesOf(world, key).map(withdrawn)
  if (!finalizers.includes(finalizer)) return routes
  return [...routes, { type: 'unfinalize', of: { kind, name, namespace }, finalizers: [finalizer] }]
}

/** The oldest counts: two would write the same objects in turn. */
export function firstIn(world: ReadonlyWorld, namespace: string): BgpConfiguration | undefined {
  const age = ({ createdAt, key }: BgpConfiguration): string => `${createdAt} ${key}`
  return [...world.all('BGPConfiguration').values()]
    .filter((one) => one.namespace === namespace && !one.isGoing)
    .sort((one, other) => (age(one) < age(other) ? -1 : 1))[0]
}

type Subject = {
  readonly configuration: BgpConfiguration
  readonly first: BgpConfiguration | undefined
  readonly known: 'known' | 'forbidden'
  readonly now: string
}

function writesFor(world: ReadonlyWorld, subject: Subject): readonly Write[] {
  const { configuration, first, known, now } = subject
  const told = (some: Told): readonly Write[] => routesStatus(configuration, some, now)
  const why = (text: string) => told({ ...nothing, why: text })
  if (known === 'forbidden') return why(`the pods of the namespace ${unlisted}`)
  const routes = routesOf(world, configuration.key)
  if (first !== undefined && first.key !== configuration.key) {
    const older = `BGPConfiguration ${first.key} is older and counts: delete one of the two`
    return [...routes.map(withdrawn), ...why(older)]
  }
  if (!world.obstacles.isServed('FRRConfiguration')) return why(unserved)
  const { objects, kept, waiting, leftOut } = routesOfPods(world, configuration)
  const refs = objects.map(refOf)
  const wanted = new Set(refs.map(({ namespace, name }) => `${namespace}/${name}`))
  const stale = routes.filter(({ key }) => !wanted.has(key) && !kept.has(key))
  const refused = refs.flatMap((of) => world.obstacles.refusalOf(of) ?? [])
  const maker = `BGPConfiguration/${configuration.name}`
  return [
    ...objects.map((object): Write => ({ type: 'apply', object, isRequired: true, maker })),
    ...stale.map(withdrawn),
    ...told({ why: '', refused, waiting, leftOut }),
  ]
}

const nothing = { refused: [], waiting: [], leftOut: [] }
const unlisted = 'cannot be listed: grant the controller list and watch of pods'
const unserved =
  'the API does not serve FRRConfiguration: install frr-k8s and run the speakers with ' +
  '--bgp-backend frr-k8s'
