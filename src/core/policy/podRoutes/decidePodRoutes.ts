// What becomes of a BGPConfiguration? An FRRConfiguration for each pod of its namespace that has
// addresses of its own, so that the routers of the pod's node announce them (R16).
import { reserves } from '../../model/address.ts'
import type { Changed } from '../../model/changed.ts'
import type { BgpConfiguration, FrrConfiguration } from '../../model/podRoutes/podRoutes.ts'
import { refOf } from '../../model/ref.ts'
import { isSame } from '../../model/sameView.ts'
import type { Kind } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Write } from '../../model/write.ts'
import type { KeptDecider } from '../decider.ts'
import { countingConfigurations, wokenByConfiguration } from './countingConfigurations.ts'
import { routesOf } from './routeObjects.ts'
import { routesOfPods } from './routesOfPods.ts'
import { routesStatus, type Told } from './routesStatus.ts'
import { wokenByAddresses } from './wokenByAddresses.ts'

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
    ...['Namespace', 'Node', 'Tenant', 'Service', 'IPAddressPool', 'Site', 'NetConfig'],
    ...['NodeInterfaces', 'Address', 'BGPPeer', 'IPPool', 'Reservation', 'AddressBlock'],
  ] as const,
  isPrompt: true,
  atOnce: 8,
  wakes: woken,
  decide(world, key, now = '') {
    const configuration = world.all('BGPConfiguration').get(key)
    if (configuration === undefined) return { writes: orphans(world, key) }
    if (configuration.isGoing) return { writes: farewell(world, configuration) }
    const known = world.obstacles.isServed('Pod')
      ? podsKnown(configuration.namespace)
      : 'not listed yet'
    if (known === 'not listed yet') return { writes: [], againInS: soonInS }
    const first = countingConfigurations(world).get(configuration.namespace)
    return { writes: writesFor(world, { configuration, first, known, now }), againInS }
  },
})

/** What records who has an address that is not for Services. */
const given: readonly Kind[] = ['IPPool', 'Reservation', 'AddressBlock']

function woken(changed: Changed, world: ReadonlyWorld): Iterable<string> {
  if (changed.type === 'refusal') {
    return [...world.all('BGPConfiguration').values()]
      .filter(({ name }) => name === changed.key)
      .map(({ key }) => key)
  }
  const counting = () => [...countingConfigurations(world).values()].map(({ key }) => key)
  if (changed.type !== 'object') return changed.kind === 'FRRConfiguration' ? counting() : []
  if (changed.kind === 'BGPConfiguration') return wokenByConfiguration(changed, world)
  if (given.includes(changed.kind)) return wokenByAddresses(changed, world)
  if (changed.kind === 'Pod') {
    const [namespace = ''] = changed.key.split('/')
    return [countingConfigurations(world).get(namespace)?.key ?? []].flat()
  }
  if (changed.kind !== 'FRRConfiguration') return hasMoved(changed) ? counting() : []
  return [...counting(), ...[changed.before, changed.after].flatMap(configurationOf)]
}

type ObjectChange = Extract<Changed, { type: 'object' }>

function hasMoved({ before, after }: ObjectChange): boolean {
  return !isSame(placesOf(before), placesOf(after))
}

/** What counts of it when it is asked whose an address is. */
function placesOf(view: ObjectChange['after']): unknown {
  if (view === undefined) return []
  if (view.kind === 'Service') return view.ingress
  if (view.kind === 'IPAddressPool') return view.ranges
  if (view.kind === 'Address') return reserves(view) ? [view.address] : []
  if (view.kind === 'BGPPeer') return [view.peerAddress]
  return view.kind === 'NetConfig' || view.kind === 'NodeInterfaces' ? view.occupied : view
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
  const { objects, kept, waiting, leftOut } = routesOfPods(world, configuration, routes)
  const refs = objects.map(refOf)
  const wanted = new Set(refs.map(({ namespace, name }) => `${namespace}/${name}`))
  const stale = routes.filter(({ key }) => !wanted.has(key) && !kept.has(key))
  const maker = `BGPConfiguration/${configuration.name}`
  const refused = refs.flatMap((of) => world.obstacles.refusalOf(of, maker) ?? [])
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
