// What do the rendered admission policies make of a Service (R4.28)? What their CEL says, for a
// plan: all of it or nothing, and a refusal only of what is newly asked for.
import type { JsonObject } from '../../../model/gate.ts'
import { isRecord, recordAt, textAt } from '../../../model/json.ts'
import type { Refusal } from '../../../model/reason.ts'
import type { Tenant } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { type Asking, asking, newKey, oldKey } from './metallbKeys.ts'
import { rewritten } from './rewritten.ts'

type Played = { readonly ok: true; readonly json: JsonObject } | Refusal

/** The world has the Tenants and the Namespaces. */
export function asPolicies(world: ReadonlyWorld, service: JsonObject): Played {
  const tenant = tenantOf(world, service)
  if (tenant === undefined) return { ok: true, json: service }
  const [annotations, field] = [annotationsOf(service), fieldOf(service)]
  const asked = Object.fromEntries(asking.map((name) => [name, askedUnder(annotations, name)]))
  const isInField = asked['loadBalancerIPs'] === '' && field !== ''
  const wanted = { ...asked, ...(isInField ? { loadBalancerIPs: field } : {}) }
  const answer = rewritten(world, tenant, withNewKeys(wanted))
  if (!answer.ok) return answer
  const written = Object.entries(answer.changes).filter(
    ([key]) => !(isInField && key === newKey('loadBalancerIPs')),
  )
  const after = { ...besides(annotations, asked), ...Object.fromEntries(written) }
  const metadata = { ...recordAt(service, 'metadata'), annotations: { ...annotations, ...after } }
  const moved = answer.changes[newKey('loadBalancerIPs')]
  if (!isInField || moved === undefined) return { ok: true, json: { ...service, metadata } }
  const { loadBalancerIP: _, ...spec } = recordAt(service, 'spec')
  const given = moved === '' ? spec : { ...spec, loadBalancerIP: moved }
  return { ok: true, json: { ...service, metadata, spec: given } }
}

/** What was there before the policies is not refused for what it said then. */
export function isAskedAnew(service: JsonObject, before: JsonObject | undefined): boolean {
  if (before === undefined || !isBalanced(before)) return true
  const [now, was] = [annotationsOf(service), annotationsOf(before)]
  const keys = asking.flatMap((name) => [newKey(name), oldKey(name)])
  return (
    fieldOf(service) !== fieldOf(before) ||
    keys.some((key) => textAt(now, key) !== textAt(was, key))
  )
}

function tenantOf(world: ReadonlyWorld, service: JsonObject): Tenant | undefined {
  if (textAt(service, 'kind') !== 'Service' || !isBalanced(service)) return undefined
  const { namespace, name } = recordAt(service, 'metadata')
  const of = { key: `${String(namespace)}/${String(name)}`, namespace: String(namespace) }
  const belonging = world.tenantOf(of)
  return belonging.kind === 'tenant' ? world.all('Tenant').get(belonging.name) : undefined
}

const isBalanced = (service: JsonObject): boolean =>
  textAt(recordAt(service, 'spec'), 'type') === 'LoadBalancer'

const fieldOf = (service: JsonObject): string => textAt(recordAt(service, 'spec'), 'loadBalancerIP')

function annotationsOf(service: JsonObject): JsonObject {
  const { annotations } = recordAt(service, 'metadata')
  return isRecord(annotations) ? annotations : {}
}

/** The operators' key counts, where it says something. */
const askedUnder = (annotations: JsonObject, name: Asking): string =>
  textAt(annotations, oldKey(name)) || textAt(annotations, newKey(name))

const withNewKeys = (asked: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    asking.flatMap((name) => (asked[name] ? [[newKey(name), asked[name]] as const] : [])),
  )

/** MetalLB reads the newer key first: where somebody wrote both, it says what was judged. */
const besides = (annotations: JsonObject, asked: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    asking.flatMap((name) =>
      newKey(name) in annotations && asked[name] ? [[newKey(name), asked[name]] as const] : [],
    ),
  )
