// Nodes whose networks follow from tenants, and an nmstate that says of each policy what a test says.
import type { JsonObject } from '../../src/core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../src/core/model/json.ts'
import type { View } from '../../src/core/model/view.ts'
import type { World } from '../../src/core/model/world.ts'
import { hostNetworkPolicies } from '../../src/core/policy/decideHostNetworks.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { worldOf } from './announcing.ts'

/** What the API holds, and who carries it out. */
export class Nodes {
  readonly world: World
  readonly objects = new Map<string, JsonObject>()
  #generation = 0

  constructor(...views: View[]) {
    this.world = worldOf(...views)
  }

  put(view: View): void {
    this.world.apply({ type: 'upsert', view })
  }

  drop(kind: View['kind'], key: string): void {
    this.world.apply({ type: 'delete', kind, key })
  }

  /** Answers what was written, in short. */
  decide(): string[] {
    return hostNetworkPolicies.decide(this.world, 'every node').writes.flatMap((write) => {
      if (write.type === 'delete') {
        this.objects.delete(write.of.name)
        this.drop('NodeNetworkConfigurationPolicy', write.of.name)
        return [`delete ${write.of.name}`]
      }
      if (write.type !== 'apply') return []
      const name = textAt(recordAt(write.object, 'metadata'), 'name')
      const before = this.objects.get(name)
      const isNew = JSON.stringify(before?.['spec']) !== JSON.stringify(write.object['spec'])
      const generation = isNew ? ++this.#generation : generationOf(before)
      this.#store(name, { ...write.object, status: before?.['status'] }, generation)
      return isNew ? [`${name} ${interfaces(write.object)}`] : []
    })
  }

  #store(name: string, object: JsonObject, generation: number): void {
    const metadata = { ...recordAt(object, 'metadata'), generation }
    const json = { ...object, metadata }
    this.objects.set(name, json)
    this.put(viewOf(json))
  }

  says(name: string, type: 'Available' | 'Degraded' | 'Progressing'): void {
    const object = this.objects.get(name) ?? {}
    const lastTransitionTime = '2026-01-01T00:00:00Z'
    const conditions = [{ type, status: 'True', lastTransitionTime, message: 'as asked' }]
    const status = { conditions }
    this.#store(name, { ...object, status }, generationOf(object))
  }

  /** As if nmstate had not looked at an edit yet, although the policy still says so. */
  recorded(nodeName: string, generation: number): void {
    this.put({
      kind: 'NodeNetworkConfigurationEnactment',
      name: `${nodeName}.berth-${nodeName}`,
      policyGeneration: generation,
      progress: { state: 'Available', since: '', message: '' },
    })
  }

  state(name: string, index = 0): JsonObject {
    const desired = recordAt(recordAt(this.objects.get(name), 'spec'), 'desiredState')
    const list = desired['interfaces']
    const found: unknown = Array.isArray(list) ? list[index] : undefined
    return isRecord(found) ? found : {}
  }
}

export const generationOf = (object: JsonObject | undefined): number =>
  Number(recordAt(object, 'metadata')['generation'] ?? 0)

export function viewOf(json: JsonObject): View {
  const decoded = decode(json)
  if (decoded.kind !== 'view') throw new Error(JSON.stringify(decoded))
  return decoded.view
}

/** enp6s0.20=172.17.0.5/24; `-` marks one that is to go. */
export function interfaces(object: JsonObject): string {
  const desired = recordAt(recordAt(object, 'spec'), 'desiredState')
  const list = Array.isArray(desired['interfaces']) ? desired['interfaces'].filter(isRecord) : []
  return list
    .map((one) => {
      if (one['state'] === 'absent') return `-${one['name']}`
      const all = ['ipv4', 'ipv6'].flatMap((field) => {
        const { address } = recordAt(one, field)
        return Array.isArray(address)
          ? address.map((at) => `${at['ip']}/${at['prefix-length']}`)
          : []
      })
      return `${one['name']}=${all.join('+')}`
    })
    .join(' ')
}

/** Until every policy is written and done. */
export function settled(...views: View[]): Nodes {
  const nodes = new Nodes(...views)
  for (let left = 20; left > 0 && nodes.decide().length > 0; left--) {
    for (const name of nodes.objects.keys()) nodes.says(name, 'Available')
  }
  return nodes
}
