// What does a Service ask for, and what does its tenant make of it? As variables of an admission
// policy, each of which may use those before it.
import { poolNameOf, type Tenant } from '../../../model/tenant.ts'
import { prefixesOf } from '../../../net/intervals.ts'
import { prefixText } from '../../../net/range.ts'
import { pooledNetworks } from '../madePool.ts'
import { celList, celMap, celText } from './cel.ts'
import { type Asking, newKey, oldKey, sharingPrefixOf } from './metallbKeys.ts'
import type { Translations } from './translations.ts'

type Variable = { readonly name: string; readonly expression: string }

export function serviceVariables(tenant: Tenant, tables: Translations): readonly Variable[] {
  return [
    { name: 'annotations', expression: annotationsOf('object') },
    { name: 'askedPool', expression: askedUnder('address-pool') },
    { name: 'pools', expression: poolNames(tenant) },
    {
      name: 'pool',
      expression:
        'variables.askedPool in variables.pools ? variables.pools[variables.askedPool] : ' +
        'variables.askedPool',
    },
    { name: 'isOwnPool', expression: 'variables.pool in variables.pools' },
    { name: 'field', expression: fieldOf('object') },
    { name: 'askedAddresses', expression: askedUnder('loadBalancerIPs') },
    {
      name: 'addresses',
      expression:
        '(variables.askedAddresses != "" ? variables.askedAddresses : variables.field)' +
        '.split(",").map(a, a.trim()).filter(a, a != "")',
    },
    { name: 'ranges', expression: celList(rangesOf(tenant)) },
    { name: 'tables', expression: tablesOf(tables) },
    {
      name: 'table',
      expression:
        'variables.pool in variables.tables ? variables.tables[variables.pool] : ' +
        'variables.tables[""]',
    },
    { name: 'given', expression: given(tenant) },
    { name: 'isGivenOwn', expression: `variables.given.all(a, ${isOwn})` },
    { name: 'key', expression: askedUnder('allow-shared-ip') },
    {
      name: 'ownKey',
      expression:
        `variables.key.startsWith(${celText(sharingPrefixOf(tenant))}) ? variables.key : ` +
        `${celText(sharingPrefixOf(tenant))} + variables.key`,
    },
  ]
}

export const annotationsOf = (object: string): string =>
  `has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {}`

export const fieldOf = (object: string): string =>
  `has(${object}.spec.loadBalancerIP) ? ${object}.spec.loadBalancerIP : ""`

/** Inside a macro over addresses. */
export const isOwn =
  'isIP(a) && variables.ranges.exists(range, cidr(range).containsIP(string(ip(a))))'

/**
 * The operators' key counts: the other one is what the policy wrote, once it has. Empty it asks for
 * nothing, and MetalLB reads the other one.
 */
function askedUnder(name: Asking): string {
  const [older, newer] = [celText(oldKey(name)), celText(newKey(name))]
  const at = (key: string) => `variables.annotations[${key}]`
  return (
    `${older} in variables.annotations && ${at(older)} != "" ? ${at(older)} : ` +
    `${newer} in variables.annotations ? ${at(newer)} : ""`
  )
}

/** By the network's name and by their own. */
function poolNames(tenant: Tenant): string {
  const names = pooledNetworks(tenant).map(({ name }) => [name, poolNameOf(tenant.name, name)])
  const own = names.flatMap(([name = '', pool = '']) => [
    [name, celText(pool)] as const,
    [pool, celText(pool)] as const,
  ])
  return celMap(new Map(own))
}

const rangesOf = (tenant: Tenant): readonly string[] =>
  pooledNetworks(tenant)
    .flatMap(({ loadBalancer }) => loadBalancer.flatMap(prefixesOf))
    .map(prefixText)

function tablesOf(tables: Translations): string {
  const rows = [...tables].map(
    ([pool, table]) =>
      [pool, celMap([...table].map(([from, to]) => [from, celText(to)] as const))] as const,
  )
  return rows.length === 0 ? '{"": {}}' : celMap(rows)
}

/** An address that nothing is known of stays as it is, and is refused after that. */
function given({ requestedAddresses }: Tenant): string {
  if (requestedAddresses === 'Ignore') return '[]'
  if (requestedAddresses === 'Strict') return 'variables.addresses'
  return (
    `variables.addresses.map(a, !(${isOwn}) && isIP(a) && string(ip(a)) in variables.table ? ` +
    'variables.table[string(ip(a))] : a)'
  )
}
