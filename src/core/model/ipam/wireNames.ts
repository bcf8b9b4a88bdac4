// What is a wire called (R12.4)? By the namespace that is alone on it, by the name that an
// administrator gives it, or by the interface and VLAN of a tenant's network.
import type { NamespaceView } from '../announcing.ts'
import { isDnsLabel } from '../names.ts'
import { linkOf, type Network, type Tenant } from '../tenant.ts'

export type Namespaces = {
  readonly namespaces: ReadonlyMap<string, Pick<NamespaceView, 'wire'>>
}

export const ownWire = (namespace: string): string => `namespace/${namespace}`
export const namedWire = (name: string): string => `wire/${name}`

/** The name that the Namespace gives its wire; empty if it gives none that can be one. */
export function wireNamed({ namespaces }: Namespaces, namespace: string): string {
  const { wire = '' } = namespaces.get(namespace) ?? {}
  return isDnsLabel(wire) ? wire : ''
}

/** Those that its Namespaces name, in the order of the tenant. */
export const wiresNamedIn = (sources: Namespaces, { namespaces }: Tenant): readonly string[] =>
  namespaces
    .map((namespace) => wireNamed(sources, namespace))
    .filter((name) => name !== '')
    .map(namedWire)

/** `eth1.20` is VLAN 20 of eth1, however the tenant writes it. */
export function linkWire(network: Pick<Network, 'interface' | 'vlan'>): string | undefined {
  const link = linkOf(network)
  if (link === '') return undefined
  const [, base = link, vlan = 'untagged'] = /^(.+)\.([1-9][0-9]{0,3})$/.exec(link) ?? []
  return `link/${base}/${vlan}`
}
