// Which tenants does a change concern? Those that an object was made from, or would be, and those
// that share a router or a range with another tenant.
import type { Changed } from '../../model/changed.ts'
import type { Tenant } from '../../model/tenant.ts'
import type { View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { hostNetworks } from './hosts/hostLinks.ts'
import { areOneRange, attachedNetworks } from './madeAttachment.ts'
import { isByBgp } from './madeBgpPeer.ts'
import { hostKinds, makerOf } from './madeKinds.ts'

/** Made objects also wake it when they differ only in what no view shows. */
export function tenantsWoken(changed: Changed, world: ReadonlyWorld): readonly string[] {
  const all = [...world.all('Tenant').values()]
  if (changed.type === 'served') return names(all)
  if (changed.kind === 'Tenant') return [changed.key, ...names(neighbours(all, changed))]
  if (changed.type !== 'object') return []
  if (changed.kind === 'IPSet' && changed.after !== undefined) return []
  if (isOfHosts(changed.kind)) return names(all.filter((one) => hostNetworks(one).length > 0))
  const views = [changed.before, changed.after].filter((view) => view !== undefined)
  const makers = views.map(makerOf)
  // An object that goes, or changes its maker, frees its name.
  const isFreed = changed.after === undefined || new Set(makers).size > 1
  const isOthers = isFreed || makers.includes('')
  const ofTenants = makers.flatMap((maker) =>
    maker.startsWith('Tenant/') ? maker.slice('Tenant/'.length) : [],
  )
  const wanting = isOthers
    ? all.filter((tenant) => views.some((view) => mayWant(tenant, view)))
    : []
  return [...ofTenants, ...names(wanting)]
}

const isOfHosts = (kind: string): boolean => hostKinds.some((one) => one === kind)

const names = (tenants: readonly Tenant[]): readonly string[] => tenants.map(({ name }) => name)

/** Whether an object of others is where one is made from the tenant, or has to come for one. */
function mayWant({ name, namespaces }: Tenant, view: View): boolean {
  if (view.kind === 'Namespace') return namespaces.includes(view.name)
  // Once the last one is gone, the NetConfig may lose networks.
  if (view.kind === 'IPSet') return namespaces.includes(view.namespace)
  if (view.kind === 'NetworkAttachmentDefinition' || view.kind === 'NetConfig') {
    return namespaces.includes(view.namespace)
  }
  return 'name' in view && `-${view.name}-`.includes(`-${name}-`)
}

function neighbours(all: readonly Tenant[], changed: Changed): readonly Tenant[] {
  if (changed.type !== 'object') return []
  const views = [changed.before, changed.after].filter((view) => view?.kind === 'Tenant')
  const changing = views.filter((one) => isByBgp(one) || attachedNetworks(one).length > 0)
  if (changing.length === 0) return []
  return all.filter(
    (other) => other.name !== changed.key && changing.some((one) => areNeighbours(one, other)),
  )
}

function areNeighbours(one: Tenant, other: Tenant): boolean {
  const routers = new Set(isByBgp(one) ? one.bgp.peers.map(({ address }) => address) : [])
  if (isByBgp(other) && other.bgp.peers.some(({ address }) => routers.has(address))) return true
  const attached = attachedNetworks(other)
  return attachedNetworks(one).some((network) =>
    attached.some((beside) => areOneRange(network, beside)),
  )
}
