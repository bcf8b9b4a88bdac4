// Why does a Service wait? One closed list (R7), the same word everywhere, each with its remedy.

export const remedies = {
  'pool-not-found':
    'create a pool with that name, let an existing pool serve the name, or correct the annotation',
  'pool-not-allowed':
    "change the pool's serviceAllocation to admit the Service, or request another pool",
  'pool-full': 'add addresses to the pool, or delete a Service that holds one',
  'no-pool': 'create a pool with autoAssign that admits the Service, or request a pool by name',
  'family-not-in-pool':
    "add addresses of that family to the pool, or change the Service's ipFamilies",
  'address-invalid': 'write one address, or one of each family separated by a comma',
  'address-not-in-pool': 'request an address in a pool that the Service may use',
  'address-taken': 'request another address, or give both Services the same allow-shared-ip key',
  'address-avoided':
    'request an address that does not end in .0 or .255, or remove avoidBuggyIPs from the pool',
  'sharing-key-differs': 'give both Services the same allow-shared-ip key',
  'sharing-port-taken': 'use another port or another address',
  'sharing-policy-differs':
    'give both Services the same externalTrafficPolicy and, for Local, the same selector',
  'request-family-mismatch': "request one address for each of the Service's IP families",
  'request-contradicts': 'remove one of the two requests, or make them agree',
  'tenant-ambiguous': 'let one tenant list the namespace by name, or narrow one of the selectors',
  'pool-of-another-tenant':
    "request a pool of the Service's own tenant, or correct the pool's label berth.dev/tenant",
  'sharing-across-tenants':
    'request another address; Services of different tenants cannot share one',
  'quota-exceeded': "raise the tenant's quota, or delete a Service that holds an address",
  'translation-does-not-fit':
    "extend the network's loadBalancer ranges, or request another address",
  'address-reserved': 'request another address, or change the reservation',
  'pools-lost': 'apply the pool again, or run berth release pool NAME if it is gone for good',
  'address-in-use-elsewhere':
    'request another address, or remove this one from the node or gateway',
} as const

export type Reason = keyof typeof remedies
export type Refusal = {
  readonly ok: false
  readonly reason: Reason
  readonly message: string
  /** What helps in this case, where that is not the remedy of the reason. */
  readonly remedy?: string
}
export type Verdict = { readonly ok: true } | Refusal

export const yes: Verdict = { ok: true }
export const no = (reason: Reason, message: string, remedy?: string): Refusal =>
  remedy === undefined ? { ok: false, reason, message } : { ok: false, reason, message, remedy }

/** The spelling inside a condition, which may hold no hyphen: pool-full is PoolFull there. */
export const inCondition = (reason: Reason): string =>
  reason.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
