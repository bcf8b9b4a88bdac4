// Which FRRConfigurations are a BGPConfiguration's own, and what is each called (R16.4)? They are
// in another namespace, so that labels tell instead of an owner.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { isLabelValue } from '../../model/names.ts'
import type {
  BgpConfiguration,
  FrrConfiguration,
  PodView,
} from '../../model/podRoutes/podRoutes.ts'
import { routeLabels } from '../../model/podRoutes/routeLabels.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

/** Wherever they are, by namespace and name. */
export const routesOf = (world: ReadonlyWorld, configuration: string): FrrConfiguration[] =>
  [...world.all('FRRConfiguration').values()]
    .filter(({ routeOf }) => routeOf?.configuration === configuration)
    .sort((one, other) => (one.key < other.key ? -1 : 1))

type Route = {
  readonly configuration: BgpConfiguration
  readonly namespace: string
  readonly pod: Pick<PodView, 'name' | 'namespace'>
}

type RouteOfPod = (pod: Route['pod']) => FrrConfiguration | undefined

/** What is there for a pod, made from the configuration as it is. */
export function routesByPod(
  routes: readonly FrrConfiguration[],
  { configuration, namespace }: Omit<Route, 'pod'>,
): RouteOfPod {
  const [byPod, byName] = [new Map<string, FrrConfiguration>(), new Map<string, FrrConfiguration>()]
  for (const one of routes) {
    if (one.namespace !== namespace || one.routeOf?.uid !== configuration.uid) continue
    const { pod } = one.routeOf
    const [index, key] = pod === '' ? [byName, one.name] : [byPod, pod]
    if (!index.has(key)) index.set(key, one)
  }
  return (pod) => {
    const known = byPod.get(pod.name)
    if (known !== undefined || byName.size === 0) return known
    const [plain, hashed] = namesFor(pod)
    return byName.get(plain) ?? byName.get(hashed)
  }
}

/**
 * `namespace-pod`; that is a name of two pods where one namespace is `a-b` and another `a`, and too
 * long a name for some: then with a hash at its end.
 */
export function routeName(world: ReadonlyWorld, { namespace, pod }: Route): string {
  const [plain, hashed] = namesFor(pod)
  const isTaken = world.all('FRRConfiguration').has(`${namespace}/${plain}`)
  return plain.length > mostInName || isTaken ? hashed : plain
}

const mostInName = 253

function namesFor({ namespace, name }: Route['pod']): readonly [plain: string, hashed: string] {
  const plain = `${namespace}-${name}`
  const hash = bytesToHex(sha256(utf8ToBytes(`${namespace}/${name}`))).slice(0, 8)
  const stem = plain.slice(0, mostInName - hash.length - 1).replace(/[-.]+$/, '')
  return [plain, `${stem}-${hash}`]
}

/** A name may be longer than a label's value. */
function labelsOf({ configuration, pod }: Route): JsonObject {
  const { name, namespace, uid } = configuration
  const labels = {
    [routeLabels.name]: name,
    [routeLabels.namespace]: namespace,
    [routeLabels.uid]: uid,
    [routeLabels.pod]: pod.name,
  }
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => isLabelValue(value)))
}

export const routeObject = (
  route: Route & { readonly name: string },
  spec: JsonObject,
): JsonObject => ({
  apiVersion: apiVersionOf(apiGroups.frrK8s),
  kind: 'FRRConfiguration',
  metadata: { name: route.name, namespace: route.namespace, labels: labelsOf(route) },
  spec,
})
