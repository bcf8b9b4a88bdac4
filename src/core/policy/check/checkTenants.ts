// May this tenant be, and may it go? (R4.2, R4.20, R4.21; beside other ranges checkTenantRanges)
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid, required } from '../../model/fieldError.ts'
import { isDnsLabel } from '../../model/names.ts'
import type { Tenant } from '../../model/tenant.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { checkSelector } from './checkLists.ts'
import { checkNetwork, tenantNetworksOf } from './checkNetwork.ts'
import { loadBalancersAreApart, othersOf } from './checkTenantRanges.ts'

export function checkTenant(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const own = [...checkOwn(tenant), ...checkNetworks(tenant), ...checkListed(world, tenant)]
  return own.length > 0 ? own : loadBalancersAreApart(world, tenant)
}

function checkOwn({ name, namespaces, selector, services, quota }: Tenant): readonly FieldError[] {
  const errors: FieldError[] = []
  if (!isDnsLabel(name)) errors.push(invalid('metadata.name', name, 'must be a DNS label'))
  if (namespaces.length === 0 && selector === undefined && services.length === 0) {
    errors.push(required('spec.namespaces', 'give namespaces, a selector or services'))
  }
  if (quota !== undefined && quota < 0) {
    errors.push(invalid('spec.quota.addresses', quota, 'must not be negative'))
  }
  if (selector === undefined) return errors
  return [...errors, ...checkSelector('spec.namespaces.selector', selector)]
}

function checkNetworks(tenant: Tenant): readonly FieldError[] {
  const { networks, bgp } = tenant
  const first = new Map(networks.map(({ name }, index) => [name, index] as const).reverse())
  const twice = networks.flatMap(({ name }, index) => {
    const why = 'another network of the tenant has this name'
    return first.get(name) === index ? [] : [invalid(`spec.networks[${index}].name`, name, why)]
  })
  const byBgp = networks.find(({ announce }) => announce === 'BGP')
  const why = `network ${byBgp?.name} is announced by BGP, which needs peers`
  const unheard =
    byBgp !== undefined && bgp.peers.length === 0 ? [required('spec.bgp.peers', why)] : []
  return [...tenantNetworksOf(tenant).flatMap(checkNetwork), ...twice, ...unheard]
}

/** R4.2: what one tenant lists by name is nobody else's to list. */
function checkListed(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const others = othersOf(world, tenant)
  const lists = [
    ['spec.namespaces.names', 'namespaces'],
    ['spec.services', 'services'],
  ] as const
  return lists.flatMap(([path, field]) => {
    const listers = new Map<string, string>()
    for (const { name, [field]: theirs } of [...others].reverse()) {
      for (const listed of theirs) listers.set(listed, name)
    }
    return tenant[field].flatMap((listed, index) => {
      const other = listers.get(listed)
      if (other === undefined) return []
      return [invalid(`${path}[${index}]`, listed, `Tenant/${other} lists it as well`)]
    })
  })
}

/** R4.20. A few of the Services say where to look; there may be thousands. */
export function checkTenantDelete(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  if (tenant.mayBeDeleted) return []
  const holders = [...world.all('Service').values()].filter((service) => {
    const belonging = world.tenantOf(service)
    const isTheirs = belonging.kind === 'tenant' && belonging.name === tenant.name
    return isTheirs && world.holdingOf(service.key) !== undefined
  })
  if (holders.length === 0) return []
  const keys = holders.map(({ key }) => key).sort()
  const some =
    keys.length > 3 ? `${keys.slice(0, 3).join(', ')} and ${keys.length - 3} more` : keys.join(', ')
  const [hold, them] = keys.length === 1 ? ['holds an address', 'it'] : ['hold addresses', 'them']
  const remedy = `delete ${them} first, or annotate the tenant berth.dev/allow-delete: "true"`
  return [forbidden('', `tenant-in-use: ${some} ${hold}; ${remedy}`)]
}
