// What do the annotations of a tenant's Service have to say, so that unmodified MetalLB gives it
// what the tenant says? Pool, addresses and sharing key together; saying it twice changes nothing.
import { no, type Refusal } from '../../../model/reason.ts'
import type { Labels } from '../../../model/selector.ts'
import { poolNameOf, type Tenant } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains } from '../../../net/intervals.ts'
import { type Ip, parseIp } from '../../../net/ip.ts'
import { translate } from '../../translate.ts'
import { pooledNetworks } from '../madePool.ts'
import { type Asking, readKey, sharingPrefixOf } from './metallbKeys.ts'

/** The keys that change, with what they say then. */
type Rewritten = { readonly ok: true; readonly changes: Labels } | Refusal

export function rewritten(world: ReadonlyWorld, tenant: Tenant, annotations: Labels): Rewritten {
  const asked = (name: Asking): string => annotations[readKey(annotations, name) ?? ''] ?? ''
  const pool = poolFor(tenant, asked('address-pool'))
  if (!pool.ok) return pool
  const addresses = addressesFor(world, tenant, {
    name: asked('address-pool'),
    text: asked('loadBalancerIPs'),
  })
  if (!addresses.ok) return addresses
  const wanted: Readonly<Record<Asking, string>> = {
    'address-pool': pool.text,
    loadBalancerIPs: addresses.text,
    'allow-shared-ip': keyFor(tenant, asked('allow-shared-ip')),
  }
  const changes = Object.entries(wanted).flatMap(([name, value]) => {
    const key = readKey(annotations, name as Asking)
    return key === undefined || annotations[key] === value ? [] : [[key, value] as const]
  })
  return { ok: true, changes: Object.fromEntries(changes) }
}

type Text = { readonly ok: true; readonly text: string } | Refusal

function poolFor(tenant: Tenant, asked: string): Text {
  const networks = pooledNetworks(tenant).map(({ name }) => name)
  const own = networks.find((name) => [name, poolNameOf(tenant.name, name)].includes(asked))
  if (own !== undefined) return { ok: true, text: poolNameOf(tenant.name, own) }
  if (asked === '' || tenant.openPools) return { ok: true, text: asked }
  return no(
    'pool-of-another-tenant',
    `tenant ${tenant.name} has no pool for ${JSON.stringify(asked)}; it has ${networks.join(', ')}`,
  )
}

type Asked = { readonly name: string; readonly text: string }

function addressesFor(world: ReadonlyWorld, tenant: Tenant, { name, text }: Asked): Text {
  // Removed from a control plane it would stay on the Service; empty, it asks for nothing.
  if (text === '' || tenant.requestedAddresses === 'Ignore') return { ok: true, text: '' }
  const asked: Ip[] = []
  for (const one of text.split(',')) {
    const ip = parseIp(one.trim())
    if (!ip.ok) return no('address-invalid', ip.why)
    asked.push(ip.value)
  }
  const translated = translate(world, { asked, tenant, name })
  if (!translated.ok) return translated
  const { addresses } = translated
  const foreign = addresses.find((ip) => !isOwn(tenant, ip))
  if (foreign !== undefined && !tenant.openPools) {
    const message = `${foreign} is not in the loadBalancer ranges of tenant ${tenant.name}`
    return no('address-not-in-pool', message)
  }
  const isSame = addresses.every((ip, index) => ip === asked[index])
  return { ok: true, text: isSame ? text : addresses.join(',') }
}

const isOwn = (tenant: Tenant, ip: Ip): boolean =>
  pooledNetworks(tenant).some(({ loadBalancer }) => loadBalancer.some((one) => contains(one, ip)))

function keyFor(tenant: Tenant, key: string): string {
  const prefix = sharingPrefixOf(tenant)
  return key === '' || key.startsWith(prefix) ? key : prefix + key
}
