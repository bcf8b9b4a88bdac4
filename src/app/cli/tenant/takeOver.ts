// Which attachments of a cloud can its proposed Tenant take over under their present names (R4.33)?
// Those that it would make just as they are: a label says that they are its own. The others stay.
import type { JsonObject } from '../../../core/model/gate.ts'
import { includes, isRecord, type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { managed } from '../../../core/model/made.ts'
import { linkOf, type Network, type Tenant } from '../../../core/model/tenant.ts'
import type { Attachment } from '../../../core/model/wires.ts'
import { overlap } from '../../../core/net/intervals.ts'
import { fromBigInt } from '../../../core/net/ip.ts'
import { madeAttachments } from '../../../core/policy/made/madeAttachment.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { berth } from '../../../edge/kube/annotations.ts'
import type { Session } from '../load.ts'
import { asWritten } from './asWritten.ts'

type TakenOver = {
  readonly tenants: readonly JsonObject[]
  /** With the labels of their tenants. */
  readonly attachments: readonly Json[]
  /** By namespace/name: why it stays. */
  readonly staying: ReadonlyMap<string, string>
}
type Taken = { readonly tenant: string; readonly network: Network }

export function takeOver(session: Session, tenants: readonly JsonObject[]): TakenOver {
  const attachments: Json[] = []
  const staying = new Map<string, string>()
  const taken: Taken[] = []
  const extended = tenants.map((tenant) => {
    const name = textAt(recordAt(tenant, 'metadata'), 'name')
    const spec = recordAt(tenant, 'spec')
    const all = Array.isArray(spec['networks']) ? spec['networks'].filter(isRecord) : []
    const networks = all.map((network) => {
      const there = attachmentOf(session.cluster, name, network)
      if (there === undefined) return network
      const found = wantedFor(session, { tenant, name, network }, there)
      const why = 'why' in found ? found.why : sharedWith(taken, found.network)
      if ('why' in found || why !== undefined) {
        staying.set(there.key, why ?? '')
        return network
      }
      taken.push({ tenant: name, network: found.network })
      attachments.push(labelled(session.cluster, there, name))
      return found.json
    })
    const isTaken = networks.some((network, at) => network !== all[at])
    const generate = isTaken ? { generate: ['Pools', 'Attachments'] } : {}
    return { ...tenant, spec: { ...spec, networks, ...generate } }
  })
  for (const { key, maker } of session.cluster.world.all('NetworkAttachmentDefinition').values()) {
    const isTaken = maker !== undefined || attachments.some((one) => idOf(one) === key)
    if (!isTaken && !staying.has(key)) staying.set(key, 'no proposed network has its name')
  }
  return { tenants: extended, attachments, staying }
}

const idOf = (json: Json): string => {
  const { namespace, name } = recordAt(json, 'metadata')
  return `${namespace}/${name}`
}

function attachmentOf(
  { world }: Cluster,
  namespace: string,
  network: JsonObject,
): Attachment | undefined {
  const key = `${namespace}/${textAt(network, 'name')}`
  const there = world.all('NetworkAttachmentDefinition').get(key)
  return there?.maker === undefined ? there : undefined
}

type Proposed = { readonly tenant: JsonObject; readonly name: string; readonly network: JsonObject }
type Extended = { readonly json: JsonObject; readonly network: Network } | { readonly why: string }

/** The network as a Tenant says it, if the same attachment comes of it. */
function wantedFor(
  { gate, cluster }: Session,
  { tenant, name, network }: Proposed,
  there: Attachment,
): Extended {
  if (there.ranges.length === 0) return { why: 'it has no range of whereabouts' }
  const written = configIn(cluster.get(`NetworkAttachmentDefinition/${there.key}`))
  const mtu = written['mtu'] === undefined ? {} : { mtu: written['mtu'] }
  const attachments = there.ranges.map(({ given: { family, first, last } }) => {
    return `${fromBigInt(family, first)}-${fromBigInt(family, last)}`
  })
  const whole: JsonObject = { ...network, ...mtu, attachments }
  const { vlan: _, ...untagged }: Record<string, unknown> = whole
  const found = [whole, untagged].map((json): Extended => {
    const generate = ['Pools', 'Attachments']
    const spec = { ...recordAt(tenant, 'spec'), generate, networks: [json] }
    const admitted = gate.admit(cluster.world, { ...tenant, spec }, undefined)
    if (!admitted.ok) return { why: admitted.errors.map(({ message }) => message).join('; ') }
    const view = admitted.view as Tenant
    const [made] = madeAttachments(cluster.world, view)
    const [one] = view.networks
    if (made === undefined || one === undefined) return { why: `tenant ${name} would make none` }
    const differs = firstDifference(written, configIn(made))
    if (differs === undefined) return { json, network: one }
    return { why: `a Tenant would make it with another ${differs}` }
  })
  // The VLAN may be below an interface that has a name of its own, such as internalapi.
  return found.find((one) => 'json' in one) ?? found[0] ?? { why: '' }
}

function configIn(attachment: JsonObject | undefined): JsonObject {
  try {
    const config: unknown = JSON.parse(textAt(recordAt(attachment, 'spec'), 'config'))
    return isRecord(config) ? config : {}
  } catch {
    return {}
  }
}

/** Neither the version of the format nor the name in it says what a pod gets. */
const unimportant = ['cniVersion', 'name']

function firstDifference(one: JsonObject, other: JsonObject): string | undefined {
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return fields
    .filter((field) => !unimportant.includes(field))
    .find((field) => !(includes(one[field], other[field]) && includes(other[field], one[field])))
}

/** Two tenants with one range on one wire are refused (R4.22). */
function sharedWith(taken: readonly Taken[], network: Network): string | undefined {
  const other = taken.find(
    (one) =>
      linkOf(one.network) === linkOf(network) &&
      one.network.attachments.some((range) =>
        network.attachments.some((mine) => overlap(range, mine) !== undefined),
      ),
  )
  return other && `it shares its range with network ${other.network.name} of ${other.tenant}`
}

function labelled(cluster: Cluster, { key }: Attachment, tenant: string): Json {
  const there = cluster.get(`NetworkAttachmentDefinition/${key}`) ?? {}
  return asWritten(there, { ...managed, [berth.tenant]: tenant })
}
