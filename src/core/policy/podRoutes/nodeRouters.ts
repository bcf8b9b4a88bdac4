// What do the routers of a pod's node hear (R16.3)? A copy of the node's own FRRConfiguration that
// announces the pod alone. frr-k8s takes nothing of a node where one object contradicts another, so
// what names other prefixes is left out, and what a neighbour refers to comes along.
import type { JsonObject } from '../../model/gate.ts'
import { isRecord, recordAt, textAt } from '../../model/json.ts'
import type { NodeView } from '../../model/node.ts'
import type { BgpConfiguration, FrrConfiguration } from '../../model/podRoutes/podRoutes.ts'
import { matches, type Selector, selectorText } from '../../model/selector.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { hostnameLabel } from '../frr/frrConfiguration.ts'

type NodeRouters =
  | { readonly source: FrrConfiguration; readonly nodeSelector: JsonObject }
  /** Why there is none. */
  | { readonly why: string }

type RouteSettings = {
  readonly configuration: BgpConfiguration
  /** Where the FRRConfigurations are. */
  readonly namespace: string
}
export type RoutersOf = (node: string) => NodeRouters

/** Each node is looked up once: it has many pods. */
export function routersOfNodes(world: ReadonlyWorld, place: RouteSettings): RoutersOf {
  const found = new Map<string, NodeRouters>()
  const sources = sourcesIn(world, place.namespace)
  const selected = nodesSelected(world)
  return (node) => {
    const known = found.get(node)
    if (known !== undefined) return known
    const hostname = world.all('Node').get(node)?.labels[hostnameLabel]
    const source = sourceFor({ ...place, node, hostname, sources })
    const routers =
      'why' in source
        ? source
        : within(world, { source, node, hostname: hostname ?? node, selected })
    found.set(node, routers)
    return routers
  }
}

/** By selector. Several are taken for one: the last by name, as upstream. */
function sourcesIn(world: ReadonlyWorld, namespace: string): ReadonlyMap<string, FrrConfiguration> {
  const sources = [...world.all('FRRConfiguration').values()]
    .filter((one) => one.namespace === namespace && one.routeOf === undefined)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  return new Map(sources.map((one) => [selectorText(one.selector), one]))
}

type Sought = RouteSettings & {
  readonly node: string
  readonly hostname: string | undefined
  readonly sources: ReadonlyMap<string, FrrConfiguration>
}

function sourceFor(sought: Sought): FrrConfiguration | { readonly why: string } {
  const { configuration, namespace, node, hostname, sources } = sought
  const usual = [node, ...(hostname === undefined ? [] : [hostname])].map(hostSelector)
  const chosen = configuration.selectors.find((one) => one.node === node)?.selector
  const wanted = (chosen === undefined ? usual : [chosen]).map(selectorText)
  const source = wanted
    .flatMap((text) => sources.get(text) ?? [])
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .at(-1)
  if (source !== undefined) return source
  const [text] = wanted
  const which = text === '' ? 'has no nodeSelector' : `selects ${text}`
  return { why: `no FRRConfiguration in namespace ${namespace} ${which}, for node ${node}` }
}

const hostSelector = (hostname: string): Selector => ({
  matchLabels: { [hostnameLabel]: hostname },
  matchExpressions: [],
})

/** Nearly all select one node by its hostname: then the others need not be looked at. */
function nodesSelected(world: ReadonlyWorld): (source: FrrConfiguration) => ReadonlySet<string> {
  const all = [...world.all('Node').values()]
  const byHostname = new Map<string, NodeView[]>()
  for (const node of all) {
    const hostname = node.labels[hostnameLabel] ?? ''
    const beside = byHostname.get(hostname)
    if (beside === undefined) byHostname.set(hostname, [node])
    else beside.push(node)
  }
  const found = new Map<string, ReadonlySet<string>>()
  return ({ key, selector }) => {
    const hostname = selector.matchLabels[hostnameLabel]
    const some = hostname === undefined ? all : (byHostname.get(hostname) ?? [])
    const names =
      found.get(key) ??
      new Set(some.filter(({ labels }) => matches(selector, labels)).map(({ name }) => name))
    found.set(key, names)
    return names
  }
}

type RouterSource = {
  readonly source: FrrConfiguration
  readonly node: string
  readonly hostname: string
  readonly selected: ReturnType<typeof nodesSelected>
}

/** By a selector of several nodes all of them would announce the pod: then its own is selected. */
function within(
  world: ReadonlyWorld,
  { source, node, hostname, selected }: RouterSource,
): NodeRouters {
  const { selector, spec, key } = source
  const names = selected(source)
  if (world.all('Node').has(node) && !names.has(node)) {
    return { why: `FRRConfiguration ${key} does not select node ${node}` }
  }
  const isAlone = selectorText(selector) !== '' && names.size < 2
  const own = { matchLabels: { [hostnameLabel]: hostname } }
  return { source, nodeSelector: isAlone ? recordAt(spec, 'nodeSelector') : own }
}

/** Its spec, for the prefixes of one pod. */
export function podSpec(
  { source, nodeSelector }: Exclude<NodeRouters, { why: string }>,
  prefixes: readonly string[],
): JsonObject {
  const bgp = recordAt(source.spec, 'bgp')
  const routers = listAt(bgp, 'routers').map((router) => routerFor(router, prefixes))
  const referred = new Set(
    routers.flatMap((router) =>
      listAt(router, 'neighbors').map((one) => textAt(one, 'bfdProfile')),
    ),
  )
  const profiles = listAt(bgp, 'bfdProfiles').filter((one) => referred.has(textAt(one, 'name')))
  return {
    bgp: { ...(profiles.length === 0 ? {} : { bfdProfiles: profiles }), routers },
    nodeSelector,
  }
}

function routerFor(router: JsonObject, prefixes: readonly string[]): JsonObject {
  const { asn, vrf } = router
  const neighbors = listAt(router, 'neighbors').map((one) => neighbourFor(one, prefixes))
  const place = vrf === undefined || vrf === '' ? {} : { vrf }
  return { asn, ...place, neighbors, prefixes }
}

/**
 * Communities and preferences are of prefixes that are not announced here. What the neighbour may
 * send, and the next hop of all it gets, are in its own object, which frr-k8s merges with this one.
 */
function neighbourFor(neighbour: JsonObject, prefixes: readonly string[]): JsonObject {
  const { toReceive: _, ...terms } = neighbour
  return { ...terms, toAdvertise: { allowed: { prefixes } } }
}

const listAt = (json: JsonObject, name: string): readonly JsonObject[] => {
  const list = json[name]
  return Array.isArray(list) ? list.filter(isRecord) : []
}
