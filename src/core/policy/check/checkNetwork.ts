// Does a tenant's network fit together in itself? (R4.21)
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid } from '../../model/fieldError.ts'
import { isDnsLabel } from '../../model/names.ts'
import type { Network, Tenant } from '../../model/tenant.ts'
import { contains, covers, rangeText } from '../../net/intervals.ts'
import { bitsOf, type Family, fromBigInt, type Ip } from '../../net/ip.ts'
import { type Prefix, prefixText, rangeOf } from '../../net/range.ts'
import { type ClaimedRange, clashesWithin, clashText } from './checkOverlap.ts'

type RangeField = 'loadBalancer' | 'attachments' | 'nodes' | 'hosts'

/** A network, the field where it stands, and what people call it. */
export type TenantNetwork = {
  readonly network: Network
  readonly path: string
  readonly owner: string
}

export const tenantNetworksOf = ({ name, networks }: Tenant): readonly TenantNetwork[] =>
  networks.map((network, index) => ({
    network,
    path: `spec.networks[${index}]`,
    owner: `Tenant/${name} network ${network.name}`,
  }))

export const claimsIn = (
  { network, path, owner }: TenantNetwork,
  fields: readonly RangeField[],
): readonly ClaimedRange[] =>
  fields.flatMap((field) =>
    network[field].map((range, index) => ({ path: `${path}.${field}[${index}]`, owner, range })),
  )

export function checkNetwork(place: TenantNetwork): readonly FieldError[] {
  const { network, path } = place
  const { name, vlan } = network
  const errors: FieldError[] = []
  if (!isDnsLabel(name)) errors.push(invalid(`${path}.name`, name, 'must be a DNS label'))
  if (vlan !== undefined && (vlan < 1 || vlan > 4094)) {
    errors.push(invalid(`${path}.vlan`, vlan, 'must be 1 to 4094; leave it out for untagged'))
  }
  const claims = claimsIn(place, ['loadBalancer', 'attachments', 'nodes', 'hosts'])
  return [
    ...errors,
    ...checkFamilies(network, path),
    ...claims.flatMap((claim) => checkRange(network, claim)),
    ...clashesWithin(claims).map((clash) => forbidden(clash.mine.path, clashText(clash))),
  ]
}

function checkFamilies(network: Network, path: string): readonly FieldError[] {
  const { cidrs, translateFrom, attachments } = network
  const families = new Set(cidrs.map(({ family }) => family))
  const foreign = translateFrom.flatMap((prefix, index) => {
    if (families.has(prefix.family)) return []
    const why = `the network has no ${prefix.family} CIDR to translate into`
    return [invalid(`${path}.translateFrom[${index}]`, prefixText(prefix), why)]
  })
  return [
    ...checkOneEach(`${path}.cidrs`, cidrs),
    ...checkOneEach(`${path}.translateFrom`, translateFrom),
    ...checkOneEach(`${path}.attachments`, attachments),
    ...foreign,
  ]
}

function checkOneEach(
  path: string,
  entries: readonly { readonly family: Family }[],
): readonly FieldError[] {
  return entries.flatMap(({ family }, index) => {
    const isSecond = entries.findIndex((entry) => entry.family === family) < index
    return isSecond ? [forbidden(`${path}[${index}]`, `a second one of family ${family}`)] : []
  })
}

function checkRange(network: Network, { path, range }: ClaimedRange): readonly FieldError[] {
  const cidr = network.cidrs.find(({ family }) => family === range.family)
  if (cidr === undefined || !covers(rangeOf(cidr), range)) {
    const outside = cidr === undefined ? `every ${range.family} CIDR` : `CIDR ${prefixText(cidr)}`
    return [invalid(path, rangeText(range), `outside ${outside} of network ${network.name}`)]
  }
  return specialIn(cidr, network.gateway)
    .filter(([ip]) => contains(range, ip))
    .map(([ip, what]) => invalid(path, rangeText(range), `holds ${ip}, the ${what}`))
}

/** IPv6 has no broadcast address, and networks of one or two addresses have neither (RFC 3021). */
function specialIn(cidr: Prefix, gateway: Ip | undefined): readonly (readonly [Ip, string])[] {
  const { family, first, last } = rangeOf(cidr)
  const ends: [Ip, string][] = []
  if (bitsOf(family) - cidr.length >= 2) {
    ends.push([fromBigInt(family, first), 'network address'])
    if (family === 'IPv4') ends.push([fromBigInt(family, last), 'broadcast address'])
  }
  return gateway === undefined ? ends : [...ends, [gateway, 'gateway']]
}
