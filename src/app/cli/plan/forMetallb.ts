// berth plan --for metallb: what would `berth tenant render` of these Tenants do where unmodified
// MetalLB gives the addresses (R4.28)? Its objects are applied instead of the Tenants, and Services
// pass its admission policies, those that are there as if each had been touched.
import type { Admitted, JsonObject, Refused } from '../../../core/model/gate.ts'
import { recordAt, textAt } from '../../../core/model/json.ts'
import type { ReadonlyWorld, Settings } from '../../../core/model/world.ts'
import { asPolicies, isAskedAnew } from '../../../core/policy/made/metallb/asPolicies.ts'
import { renderedForLabel } from '../../../core/policy/made/metallb/renderedFor.ts'
import { servicePolicies } from '../../../core/policy/made/metallb/servicePolicies.ts'
import { Cluster } from '../../../core/sim/cluster.ts'
import type { Admission } from '../../../edge/kube/admission.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import type { Manifest, Read } from '../../../edge/manifests/manifest.ts'
import type { Io } from '../io.ts'
import { appliedOver } from '../live/appliedOver.ts'
import { admitAll, type Loaded, newSession, type Session } from '../load.ts'
import { objectsOf } from '../tenant/rendering.ts'

export type Rendered = {
  readonly reads: readonly Read[]
  /** Of the Tenants. */
  readonly loaded: Loaded
  /** Tenants that cannot be rendered, and why. */
  readonly refused: readonly string[]
  /** Those whose policies are played. */
  readonly tenants: ReadonlySet<string>
}
/** From then on Services pass the policies. */
export type Render = (there: Loaded, reads: readonly Read[]) => Promise<Rendered>

export async function metallbSession(
  io: Io,
  settings: Settings,
): Promise<{ readonly session: Session; readonly render: Render }> {
  const of = await newSession(io, settings)
  const { world } = of.cluster
  const policies = { isPlayed: false }
  const gate: Admission = {
    ...of.gate,
    place(json) {
      const placed = of.gate.place(json)
      return policies.isPlayed ? mutated(world, placed) : placed
    },
    admit(within, json, before) {
      const refused = policies.isPlayed ? validated(world, json, before) : undefined
      return refused ?? of.gate.admit(within, json, before)
    },
  }
  const session: Session = { cluster: new Cluster(gate, settings), gate, io }
  return {
    session,
    async render(there, reads) {
      const rendered = await renderedBy(of, there, reads)
      policies.isPlayed = true
      const asApplied = appliedOver(there)
      for (const [id, { json }] of there.manifests) {
        if (json['kind'] === 'Service') session.cluster.apply(asApplied(id, json))
      }
      return rendered
    },
  }
}

function mutated(world: ReadonlyWorld, json: JsonObject): JsonObject {
  const played = asPolicies(world, json)
  return played.ok ? played.json : json
}

function validated(
  world: ReadonlyWorld,
  json: unknown,
  before: JsonObject | undefined,
): Admitted | Refused | undefined {
  if (!isRecord(json) || !isAskedAnew(json, before)) return undefined
  const played = asPolicies(world, json)
  if (played.ok) return undefined
  const error = { path: 'metadata.annotations', message: `${played.reason}: ${played.message}` }
  return { ok: false, isUnreadable: false, errors: [error] }
}

async function renderedBy(of: Session, there: Loaded, reads: readonly Read[]): Promise<Rendered> {
  const { cluster } = of
  const isOfKind = (kind: string) => (read: Read) => read.ok && read.manifest.json['kind'] === kind
  const known = [...there.manifests.values()].map((manifest): Read => ({ ok: true, manifest }))
  const namespaces = [...known, ...reads].filter(isOfKind('Namespace'))
  const loaded = await admitAll(
    of,
    [...namespaces, ...reads.filter(isOfKind('Tenant'))],
    (_, json) => cluster.apply(json),
  )
  cluster.settle()
  const tenants = [...cluster.world.all('Tenant').values()]
  const refused = tenants.flatMap((tenant) => {
    const policies = servicePolicies(
      tenant,
      tenants.filter((one) => one !== tenant),
    )
    return policies.ok ? [] : [`Tenant/${tenant.name}: ${policies.reason}: ${policies.message}`]
  })
  const objects = objectsOf(of, tenants).map(
    (json): Read => ({ ok: true, manifest: unwritten(json) }),
  )
  const names = new Set(tenants.map(({ name }) => name))
  const rest = reads.filter((read) => !isOfKind('Tenant')(read) && !names.has(tenantOf(read)))
  return { reads: [...objects, ...rest], loaded, refused, tenants: names }
}

/** Of what was rendered before and lies beside them. */
const tenantOf = (read: Read): string =>
  read.ok
    ? textAt(recordAt(recordAt(read.manifest.json, 'metadata'), 'labels'), renderedForLabel)
    : ''

const unwritten = (json: JsonObject): Manifest => ({
  json,
  source: { file: '', line: 0 },
  lineOf: () => 0,
})
