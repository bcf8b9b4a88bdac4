// Which strategy does a kind have? Each built-in kind has its own, others that of custom kinds.
import type { RequestedKind } from '../kinds/kinds.ts'
import { resourceOf, type ServedVersion } from '../kinds/storedKind.ts'
import { customStrategy } from './core/custom.ts'
import { configMap, secret } from './core/dataKinds.ts'
import { endpointSlice } from './core/endpointSlice.ts'
import { namespace } from './core/namespace.ts'
import { event, lease, node, serviceAccount } from './core/plainKinds.ts'
import { deployment, pod } from './core/pods.ts'
import { definitions } from './definition/accept.ts'
import { definition } from './definition/definition.ts'
import { service } from './service/service.ts'
import type { Strategy } from './strategy.ts'

const builtIn: ReadonlyMap<string, Strategy> = new Map([
  ['configmaps', configMap],
  [definitions, definition],
  ['deployments.apps', deployment],
  ['endpointslices.discovery.k8s.io', endpointSlice],
  ['events', event],
  ['leases.coordination.k8s.io', lease],
  ['namespaces', namespace],
  ['nodes', node],
  ['pods', pod],
  ['secrets', secret],
  ['serviceaccounts', serviceAccount],
  ['services', service],
])
const custom = new WeakMap<ServedVersion, Strategy>()

export function strategyOf(found: RequestedKind): Strategy {
  const own = found.kind.isBuiltIn ? builtIn.get(resourceOf(found.kind)) : undefined
  const known = own ?? custom.get(found.version)
  if (known !== undefined) return known
  const made = customStrategy(found)
  custom.set(found.version, made)
  return made
}
