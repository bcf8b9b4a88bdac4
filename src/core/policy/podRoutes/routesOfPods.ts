// Which routes do the pods of a namespace get (R16.2-R16.5)? One object for each pod; a pod that
// lacks something holds up no other, and keeps the route that it has.
import type { JsonObject } from '../../model/gate.ts'
import type {
  BgpConfiguration,
  FrrConfiguration,
  PodView,
} from '../../model/podRoutes/podRoutes.ts'
import { openshiftFrrNamespace } from '../../model/podRoutes/routeLabels.ts'
import { matches } from '../../model/selector.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { bitsOf, familyOf, type Ip } from '../../net/ip.ts'
import { hostnameLabel } from '../frr/frrConfiguration.ts'
import { podSpec, type RoutersOf, routersOfNodes } from './nodeRouters.ts'
import { addressesWanted, isRouted } from './podAddresses.ts'
import { routeName, routeObject, routesByPod } from './routeObjects.ts'
import { type Surroundings, surroundings } from './surroundings.ts'
import { whyNotRouted } from './whoseAddress.ts'

type Routes = {
  readonly objects: readonly JsonObject[]
  /** By namespace and name: what stays as it is, since its pod cannot be routed now. */
  readonly kept: ReadonlySet<string>
  readonly waiting: readonly string[]
  readonly leftOut: readonly string[]
}

/** Where frr-k8s reads. */
const frrNamespaceOf = (world: ReadonlyWorld, { frrNamespace }: BgpConfiguration): string =>
  world.hasNamespace(openshiftFrrNamespace) ? openshiftFrrNamespace : frrNamespace

export function routesOfPods(
  world: ReadonlyWorld,
  configuration: BgpConfiguration,
  routes: readonly FrrConfiguration[],
): Routes {
  const place = { configuration, namespace: frrNamespaceOf(world, configuration) }
  const common = {
    ...place,
    routeOf: routesByPod(routes, place),
    routersOf: routersOfNodes(world, place),
    around: surroundings(world, configuration.namespace),
  }
  const routed = podsOf(world, configuration).map((pod) => podRoute(world, { ...common, pod }))
  return {
    objects: routed.flatMap(({ object }) => (object === undefined ? [] : [object])),
    kept: new Set(routed.flatMap(({ kept }) => kept ?? [])),
    waiting: routed.flatMap(({ waits }) => waits ?? []),
    leftOut: routed.flatMap(({ leftOut }) => leftOut),
  }
}

/** By name. */
const podsOf = (world: ReadonlyWorld, { namespace }: BgpConfiguration): readonly PodView[] =>
  [...world.all('Pod').values()]
    .filter((pod) => pod.namespace === namespace && isRouted(pod))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

type Subject = {
  readonly configuration: BgpConfiguration
  readonly namespace: string
  readonly pod: PodView
  readonly routeOf: ReturnType<typeof routesByPod>
  readonly routersOf: RoutersOf
  readonly around: Surroundings
}
type PodRoute = {
  readonly object?: JsonObject
  readonly kept?: string
  readonly waits?: string
  readonly leftOut: readonly string[]
}

function podRoute(world: ReadonlyWorld, subject: Subject): PodRoute {
  const { configuration, namespace, pod, around } = subject
  const route = { configuration, namespace, pod }
  const mine = subject.routeOf(pod)
  const { ips, waits, leftOut: unread } = addressesWanted(world, pod)
  const answers = ips.map((ip) => [ip, whyNotRouted(world, { pod, ip, mine, around })] as const)
  const refused = answers.flatMap(([ip, why]) => (why === undefined ? [] : [`${ip}: ${why}`]))
  const leftOut = [...unread, ...refused].map((why) => `Pod ${pod.key}: ${why}`)
  const prefixes = answers.flatMap(([ip, why]) => (why === undefined ? [hostPrefix(ip)] : []))
  const routers = subject.routersOf(pod.node)
  const why = waits === '' && 'why' in routers ? routers.why : waits
  if (why !== '' || 'why' in routers) {
    const isKept = mine !== undefined && isOn(world, pod.node, mine)
    return { leftOut, waits: `Pod ${pod.key}: ${why}`, ...(isKept ? { kept: mine.key } : {}) }
  }
  if (prefixes.length === 0) return { leftOut }
  const name = mine?.name ?? routeName(world, route)
  return { leftOut, object: routeObject({ ...route, name }, podSpec(routers, prefixes)) }
}

const hostPrefix = (ip: Ip): string => `${ip}/${bitsOf(familyOf(ip))}`

/** A pod of its name may be on another node by now. */
function isOn(world: ReadonlyWorld, node: string, { selector }: FrrConfiguration): boolean {
  const labels = world.all('Node').get(node)?.labels ?? { [hostnameLabel]: node }
  return matches(selector, labels)
}
