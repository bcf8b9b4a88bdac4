// Are two places one wire? A wire is an interface and a VLAN id; either may be unknown (section 5).
import type { NodePolicy } from '../../model/nodePolicy.ts'
import { mostWires } from './wiresEffort.ts'

export type Wire = { readonly interface: string | undefined; readonly vlan: number | undefined }

/** What the name of an interface means; several wires where the nodes' policies differ. */
export type WiresNamed = (name: string) => readonly Wire[]

export const unknownWire: Wire = { interface: undefined, vlan: undefined }

/** On known interfaces no VLAN id means untagged; beside an unknown one, that nobody said. */
export function mayBeOne(one: Wire, other: Wire): boolean {
  if (one.interface !== undefined && other.interface !== undefined) {
    return one.interface === other.interface && one.vlan === other.vlan
  }
  return one.vlan === undefined || other.vlan === undefined || one.vlan === other.vlan
}

/** A policy may call VLAN 20 of enp6s0 what it likes; enp6s0.20 is understood without one. */
export function wiresNamed(policies: Iterable<NodePolicy>): WiresNamed {
  const known = new Map<string, Map<string, Wire>>()
  for (const { interfaces } of policies) {
    for (const { name, base, vlan } of interfaces) {
      if (vlan === undefined || base === '') continue
      const wires = known.get(name) ?? new Map<string, Wire>()
      if (wires.size < mostWires)
        known.set(name, wires.set(`${base}.${vlan}`, { interface: base, vlan }))
    }
  }
  return (name) => [...(known.get(name)?.values() ?? [wireByName(name)])]
}

function wireByName(name: string): Wire {
  if (name === '') return unknownWire
  const [, base = '', id = ''] = /^(.+)\.([1-9][0-9]{0,3})$/.exec(name) ?? []
  const vlan = vlanOf(Number(id))
  return vlan === undefined ? { interface: name, vlan } : { interface: base, vlan }
}

/** NetConfig takes any number up to 4094; what is no VLAN id says nothing. */
export const vlanOf = (id: number | undefined): number | undefined =>
  id !== undefined && id >= 1 && id <= 4094 ? id : undefined

/** A VLAN id may be written beside the interface that it lies on, as in a Tenant. */
export function wiresUnder(
  named: WiresNamed,
  { name, vlan }: { readonly name: string; readonly vlan: number | undefined },
): readonly Wire[] {
  if (vlan === undefined) return named(name)
  return [{ interface: name === '' ? undefined : name, vlan }]
}
