// Under which keys does a Service ask MetalLB for something? MetalLB reads the new prefix first,
// and the old one only where the new one is absent (M2.1).
import type { Labels } from '../../../model/selector.ts'
import type { Tenant } from '../../../model/tenant.ts'

export const asking = ['address-pool', 'loadBalancerIPs', 'allow-shared-ip'] as const
export type Asking = (typeof asking)[number]

export const newKey = (name: Asking): string => `metallb.io/${name}`
export const oldKey = (name: Asking): string => `metallb.universe.tf/${name}`

/** The key that MetalLB reads; undefined where nothing is asked. */
export const readKey = (annotations: Labels, name: Asking): string | undefined =>
  [newKey(name), oldKey(name)].find((key) => annotations[key] !== undefined)

/** What a tenant's sharing keys begin with: a tenant's name holds no slash. */
export const sharingPrefixOf = ({ name }: Pick<Tenant, 'name'>): string => `${name}/`
