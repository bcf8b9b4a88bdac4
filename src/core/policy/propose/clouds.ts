// Which clouds are there, and whose Service is it? A cloud is a namespace with a control plane,
// attachments or a NetConfig; a Service that its control plane asks for elsewhere is its own too.
import type { Pool } from '../../model/pool.ts'
import type { Key, ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import { type Ip, parseIp } from '../../net/ip.ts'

export type Clouds = {
  /** Namespaces that no tenant has yet, in order. */
  readonly namespaces: readonly string[]
  /** The namespace of the cloud; that of the Service where it is of none. */
  readonly ownerOf: (service: Pick<ServiceView, 'key' | 'namespace'>) => string
  /** Services in other namespaces, by cloud. */
  readonly elsewhere: ReadonlyMap<string, readonly Key[]>
}

export function cloudsIn(world: ReadonlyWorld): Clouds {
  const planes = [...world.all('OpenStackControlPlane').values()].sort((one, other) =>
    one.key < other.key ? -1 : 1,
  )
  const found = [
    ...planes,
    ...world.all('NetworkAttachmentDefinition').values(),
    ...world.all('NetConfig').values(),
  ].map(({ namespace }) => namespace)
  const namespaces = [...new Set(found)]
    .filter((namespace) => world.tenantOfNamespace(namespace).kind === 'none')
    .sort()
  const elsewhere = new Map<string, Key[]>()
  const owners = new Map<Key, string>()
  for (const { namespace, services } of planes) {
    for (const service of services.filter((one) => one.namespace !== namespace)) {
      const key = `${service.namespace}/${service.name}`
      owners.set(key, namespace)
      elsewhere.set(namespace, [...(elsewhere.get(namespace) ?? []), key])
    }
  }
  return {
    namespaces,
    ownerOf: ({ key, namespace }) => owners.get(key) ?? namespace,
    elsewhere,
  }
}

/** Whether it asks for the pool by name or by address, or holds an address of it. */
export function uses(world: ReadonlyWorld, service: ServiceView, pool: Pool): boolean {
  if ([pool.name, ...pool.serves].includes(service.asksPool)) return true
  const asked = [service.asksByField, ...service.asksByAnnotation.split(',')]
  const ips = [...asked.flatMap(parsedIp), ...(world.holdingOf(service.key)?.ips ?? [])]
  return ips.some((ip) => pool.ranges.some((range) => contains(range, ip)))
}

function parsedIp(text: string): readonly Ip[] {
  const ip = parseIp(text.trim())
  return ip.ok ? [ip.value] : []
}
