// What keeps Berth from doing its work right now? Frozen addressing, configuration that cannot be
// used, components that wait for MetalLB, and Services that two nodes announce.
import type { Attention } from '../../../core/policy/status/attention.ts'
import { leaseName } from '../../../edge/kube/adoption.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { decodeServiceStatus } from '../../../edge/kube/decode/decodeServiceStatus.ts'
import type { Fields } from '../../../edge/kube/decode/fields.ts'
import type { KindName } from '../../../edge/kube/kinds.ts'
import { fieldsOf, type Look } from './look.ts'

/** In the order in which to look at them. `hasLeader`: a controller of Berth runs. */
export async function readAttention(look: Look, hasLeader: boolean): Promise<readonly Attention[]> {
  const list = (kind: KindName, namespace?: string) => fieldsOf(look, kind, namespace)
  const { namespace } = look
  const [definitions, states, statuses] = await Promise.all([
    list('CustomResourceDefinition'),
    list('ConfigurationState', namespace),
    list('ServiceL2Status', namespace),
  ])
  // Beside MetalLB, before Berth is installed, nothing waits for its definitions.
  const isInstalled =
    hasLeader || definitions.some((one) => metaOf(one).name.endsWith('.berth.dev'))
  const missing = isInstalled ? frozen(definitions) : []
  return [...missing, ...states.flatMap(stateAttention), ...twoOwners(statuses)]
}

/** How many more controllers are ready to take over; undefined where that cannot be read. */
export async function readStandby(look: Look): Promise<number | undefined> {
  const deployments = await fieldsOf(look, 'Deployment', look.namespace)
  const own = deployments.find((one) => metaOf(one).name === leaseName)
  const ready = own?.inner('status').number('readyReplicas')
  return ready === undefined ? undefined : Math.max(0, ready - 1)
}

const needed = ['addresses.berth.dev', 'ipaddresspools.metallb.io']

function frozen(definitions: readonly Fields[]): Attention[] {
  return needed.flatMap((name) => {
    const crd = definitions.find((one) => metaOf(one).name === name)
    const isGoing = crd?.inner('metadata').has('deletionTimestamp') === true
    if (crd !== undefined && !isGoing) return []
    const what = isGoing ? 'is being deleted' : 'is missing'
    const message = `the definition ${what}: no address is given or taken away until it is back`
    return [{ word: 'frozen', object: `CustomResourceDefinition/${name}`, message } as const]
  })
}

/** A component waits for MetalLB, or it cannot use the configuration. */
function stateAttention(state: Fields): Attention[] {
  const { name } = metaOf(state)
  const object = `ConfigurationState/${name}`
  const conditions = state.inner('status').each('conditions')
  const waits = conditions.find((one) => one.text('type') === 'berth.dev/WaitsForMetalLB')
  if (waits?.text('status') === 'True') {
    const word = name.startsWith('speaker-') ? 'silent' : 'waits'
    return [{ word, object, message: waits.text('message') }]
  }
  const invalid = conditions.filter((one) => one.text('status') === 'False')
  return invalid.map((one) => ({ word: 'invalid', object, message: one.text('message') }))
}

function twoOwners(statuses: readonly Fields[]): Attention[] {
  const nodes = new Map<string, Set<string>>()
  for (const status of statuses) {
    const { service, node } = decodeServiceStatus('ServiceL2Status', status)
    if (node !== '') nodes.set(service, (nodes.get(service) ?? new Set()).add(node))
  }
  return [...nodes]
    .filter(([, all]) => all.size > 1)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([service, all]) => ({
      word: 'two-owners',
      object: `Service/${service}`,
      message: `${[...all].sort().join(' and ')} announce it`,
    }))
}
