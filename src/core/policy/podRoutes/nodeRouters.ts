// What do the routers of a pod's node hear (R16.3)? A copy of the node's own FRRConfiguration that
// announces the pod alone. frr-k8s takes nothing of a node where one object contradicts another, so
// what names other prefixes is left out, and what a neighbour refers to comes along.
import type { JsonObject } from '../../model/gate.ts'
import { isRecord, recordAt, textAt } from '../../model/json.ts'
import type { BgpConfiguration, FrrConfiguration } from '../../model/podRoutes/podRoutes.ts'
import { matches, type Selector, selectorText } from '../../model/selector.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { hostnameLabel } from '../frr/frrConfiguration.ts'

type NodeRouters =
  | { readonly source: FrrConfiguration; readonly nodeSelector: JsonObject }
  /** Why there is none. */
  | { readonly why: string }

type RoutedNode = {
  readonly configuration: BgpConfiguration
  /** Where the FRRConfigurations are. */
  readonly namespace: string
  readonly node: string
}

export function routersOf(world: ReadonlyWorld, place: RoutedNode): NodeRouters {
  const { configuration, namespace, node } = place
  const hostname = world.all('Node').get(node)?.labels[hostnameLabel]
  const usual = [node, ...(hostname === undefined ? [] : [hostname])].map(hostSelector)
  const chosen = configuration.selectors.find((one) => one.node === node)?.selector
  const wanted = new Set((chosen === undefined ? usual : [chosen]).map(selectorText))
  // Several are taken for one: the last by name, as upstream.
  const source = [...world.all('FRRConfiguration').values()]
    .filter((one) => one.namespace === namespace && one.routeOf === undefined)
    .filter(({ selector }) => wanted.has(selectorText(selector)))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .at(-1)
  if (source === undefined) {
    const [text] = wanted
    const which = text === '' ? 'has no nodeSelector' : `selects ${text}`
    return { why: `no FRRConfiguration in namespace ${namespace} ${which}, for node ${node}` }
  }
  return within(world, { source, node, hostname: hostname ?? node })
}

const hostSelector = (hostname: string): Selector => ({
  matchLabels: { [hostnameLabel]: hostname },
  matchExpressions: [],
})

type RouterSource = {
  readonly source: FrrConfiguration
  readonly node: string
  readonly hostname: string
}

/** By a selector of several nodes all of them would announce the pod: then its own is selected. */
function within(world: ReadonlyWorld, { source, node, hostname }: RouterSource): NodeRouters {
  const { selector, spec, key } = source
  const nodes = [...world.all('Node').values()]
  const selected = nodes.filter(({ labels }) => matches(selector, labels))
  const isKnown = nodes.some(({ name }) => name === node)
  if (isKnown && !selected.some(({ name }) => name === node)) {
    return { why: `FRRConfiguration ${key} does not select node ${node}` }
  }
  const isAlone = selectorText(selector) !== '' && selected.length < 2
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

/** Communities and preferences are of prefixes that are not announced here. */
function neighbourFor(neighbour: JsonObject, prefixes: readonly string[]): JsonObject {
  const advertised = recordAt(neighbour, 'toAdvertise')
  const { withCommunity: _, withLocalPref: __, ...rest } = advertised
  return { ...neighbour, toAdvertise: { ...rest, allowed: { prefixes } } }
}

const listAt = (json: JsonObject, name: string): readonly JsonObject[] => {
  const list = json[name]
  return Array.isArray(list) ? list.filter(isRecord) : []
}
