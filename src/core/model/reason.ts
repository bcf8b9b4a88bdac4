// Why does a Service wait? One closed list (R7), the same word everywhere, each with its remedy.

export const remedies = {
  'pool-not-found': 'create a pool of that name, or one that serves it, or correct the annotation',
  'pool-not-allowed': 'let the pool admit the Service, or ask for another pool',
  'pool-full': 'add addresses to the pool, or release some that are in use',
  'no-pool': 'create a pool with autoAssign that admits the Service, or ask for one by name',
  'family-not-in-pool': 'add addresses of the wanted family to the pool, or change ipFamilies',
  'address-invalid': 'write one address, or one of each family, separated by a comma',
  'address-not-in-pool': 'ask for an address inside a pool that the Service may use',
  'address-taken': 'ask for another address, or give both Services one sharing key',
  'address-avoided': 'ask for an address that does not end in .0 or .255, or drop avoidBuggyIPs',
  'sharing-key-differs': 'give both Services the same allow-shared-ip key',
  'sharing-port-taken': 'use another port, or another address',
  'sharing-policy-differs':
    'give both Services one externalTrafficPolicy and, for Local, one selector',
  'request-family-mismatch': "ask for addresses of exactly the Service's families",
  'request-contradicts': 'remove one of the two wishes, or make them agree',
  'tenant-ambiguous': 'let one tenant list the namespace by name, or narrow one of the selectors',
  'pool-of-another-tenant': "ask for a pool of the Service's own tenant, or put the label right",
  'sharing-across-tenants': 'use another address: Services of two tenants never share one',
  'quota-exceeded': "raise the tenant's quota, or release an address",
  'translation-does-not-fit': "widen the network's loadBalancer ranges, or ask for another address",
  'address-reserved': 'ask for another address, or change the reservation',
  'address-in-use-elsewhere': 'ask for another address, or free this one on the node or gateway',
} as const

export type Reason = keyof typeof remedies
export type Refusal = { readonly ok: false; readonly reason: Reason; readonly message: string }
export type Verdict = { readonly ok: true } | Refusal

export const yes: Verdict = { ok: true }
export const no = (reason: Reason, message: string): Refusal => ({ ok: false, reason, message })

/** The spelling inside a condition, which may hold no hyphen: pool-full is PoolFull there. */
export const inCondition = (reason: Reason): string =>
  reason.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
