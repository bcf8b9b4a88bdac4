// May the Site be as proposed? What is wrong with it for itself (R6.2, R6.6 to R6.10).
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid, required } from '../../model/fieldError.ts'
import { isDnsSubdomain } from '../../model/names.ts'
import { isSame } from '../../model/sameView.ts'
import {
  type External,
  externalOf,
  isRolledBack,
  type Site,
  siteName,
  type VipPair,
} from '../../model/site.ts'
import { contains } from '../../net/intervals.ts'
import { bitsOf, familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import { prefixAround, prefixText, rangeOf } from '../../net/range.ts'

export function checkSite(site: Site, before: Site | undefined): readonly FieldError[] {
  const { name, internalNetwork, external, move } = site
  const errors: FieldError[] = []
  if (name !== siteName) {
    errors.push(invalid('metadata.name', name, `there is one Site, called ${siteName}`))
  }
  if (internalNetwork === undefined) {
    errors.push(required('spec.internalNetwork', 'the network that the cluster was built in'))
  }
  const [was, is] = [before?.internalNetwork, internalNetwork]
  if (was !== undefined && is !== undefined && !isSame(was, is)) {
    const why = `the cluster was built in ${prefixText(was)}, and that never changes (immutable)`
    errors.push(invalid('spec.internalNetwork', prefixText(is), why))
  }
  if (external !== undefined) errors.push(...checkExternal(site, external, 'spec.external'))
  const back = move?.before
  if (back !== undefined) errors.push(...checkExternal(site, back, 'spec.move.before'))
  return [...errors, ...checkMove(site, before)]
}

function checkExternal(site: Site, external: External, path: string): readonly FieldError[] {
  const { secondary, baseDomain } = external
  const errors = [
    ...checkPair(site, external, path),
    ...(secondary === undefined ? [] : checkPair(site, secondary, `${path}.secondary`)),
    ...checkSecondary(external, path),
    ...checkRoutes(external, path),
    ...checkAnnounce(external, path),
  ]
  if (baseDomain === '' || (isDnsSubdomain(baseDomain) && baseDomain.length <= 240)) return errors
  const why = 'must be a domain name in lower case, without a dot at its end'
  return [...errors, invalid(`${path}.baseDomain`, baseDomain, why)]
}

function checkPair(site: Site, pair: VipPair, path: string): readonly FieldError[] {
  const { apiVIP, ingressVIP } = pair
  if (apiVIP === undefined && ingressVIP === undefined) {
    const why = 'set both apiVIP and ingressVIP, or leave all of it out until the cluster arrives'
    return [required(`${path}.apiVIP`, why)]
  }
  if (apiVIP === undefined) {
    return [required(`${path}.apiVIP`, 'both VIPs are set or none: ingressVIP is')]
  }
  if (ingressVIP === undefined) {
    return [required(`${path}.ingressVIP`, 'both VIPs are set or none: apiVIP is')]
  }
  if (apiVIP === ingressVIP) {
    return [invalid(`${path}.ingressVIP`, ingressVIP, 'must differ from apiVIP')]
  }
  if (familyOf(apiVIP) !== familyOf(ingressVIP)) {
    const why = `must be of the same family as apiVIP ${apiVIP}`
    return [invalid(`${path}.ingressVIP`, ingressVIP, why)]
  }
  const places = [
    [`${path}.apiVIP`, apiVIP],
    [`${path}.ingressVIP`, ingressVIP],
  ] as const
  return [
    ...places.flatMap(([field, ip]) => checkVip(site, pair, { field, ip })),
    ...checkSubnet(pair, { apiVIP, ingressVIP }, path),
    ...checkGateway(pair, apiVIP, path),
  ]
}

type SiteAddress = { readonly field: string; readonly ip: Ip }

function checkVip(
  { internalNetwork }: Site,
  { gateway }: VipPair,
  { field, ip }: SiteAddress,
): readonly FieldError[] {
  if (internalNetwork !== undefined && contains(rangeOf(internalNetwork), ip)) {
    const why = `is inside the internal network ${prefixText(internalNetwork)}`
    return [invalid(field, ip, `${why}; use an address of the external network`)]
  }
  return ip === gateway ? [invalid(field, ip, 'is the gateway')] : []
}

function checkSubnet(
  { prefixLength: length }: VipPair,
  { apiVIP, ingressVIP }: { readonly apiVIP: Ip; readonly ingressVIP: Ip },
  path: string,
): readonly FieldError[] {
  if (length === undefined) return []
  const bits = bitsOf(familyOf(apiVIP))
  if (length > bits) {
    const why = `an ${familyOf(apiVIP)} prefix has at most ${bits} bits`
    return [invalid(`${path}.prefixLength`, length, why)]
  }
  const [one, other] = [prefixAround(apiVIP, length), prefixAround(ingressVIP, length)]
  if (!isSame(one, other)) {
    const why = `is in subnet ${prefixText(other)}, and apiVIP ${apiVIP} in ${prefixText(one)}`
    return [invalid(`${path}.ingressVIP`, ingressVIP, why)]
  }
  return [
    ...unusableIn(length, { field: `${path}.apiVIP`, ip: apiVIP }),
    ...unusableIn(length, { field: `${path}.ingressVIP`, ip: ingressVIP }),
  ]
}

/** The network address, and in IPv4 the broadcast address. */
export function unusableIn(length: number, { field, ip }: SiteAddress): readonly FieldError[] {
  const family = familyOf(ip)
  if (bitsOf(family) - length < 2) return []
  const prefix = prefixAround(ip, length)
  const { first, last } = rangeOf(prefix)
  const value = toBigInt(ip)
  const of = `of subnet ${prefixText(prefix)}`
  if (value === first) return [invalid(field, ip, `is the network address ${of}`)]
  const isBroadcast = family === 'IPv4' && value === last
  return isBroadcast ? [invalid(field, ip, `is the broadcast address ${of}`)] : []
}

function checkGateway(
  { gateway, prefixLength: length }: VipPair,
  vip: Ip,
  path: string,
): readonly FieldError[] {
  if (gateway === undefined) return []
  const field = `${path}.gateway`
  if (familyOf(gateway) !== familyOf(vip)) {
    return [invalid(field, gateway, `must be of the same family as ${vip}`)]
  }
  if (length === undefined || length > bitsOf(familyOf(vip))) return []
  const subnet = prefixAround(vip, length)
  if (!contains(rangeOf(subnet), gateway)) {
    return [invalid(field, gateway, `is outside the VIPs' subnet ${prefixText(subnet)}`)]
  }
  return unusableIn(length, { field, ip: gateway })
}

function checkSecondary({ apiVIP, secondary }: External, path: string): readonly FieldError[] {
  const [one, other] = [apiVIP, secondary?.apiVIP]
  if (one === undefined || other === undefined || familyOf(one) !== familyOf(other)) return []
  const why = `must be of the other family: ${one} is ${familyOf(one)} too`
  return [invalid(`${path}.secondary.apiVIP`, other, why)]
}

function checkRoutes(external: External, path: string): readonly FieldError[] {
  const gateways = [external.gateway, external.secondary?.gateway].flatMap((ip) => ip ?? [])
  const seen = new Set<string>()
  return external.routes.flatMap(({ destination, nextHop }, index) => {
    const at = `${path}.routes[${index}]`
    const text = prefixText(destination)
    if (seen.has(text)) return [invalid(`${at}.destination`, text, 'is listed twice')]
    seen.add(text)
    if (nextHop !== undefined && familyOf(nextHop) !== destination.family) {
      return [invalid(`${at}.nextHop`, nextHop, `must be ${destination.family}, as ${text} is`)]
    }
    if (nextHop !== undefined || gateways.some((ip) => familyOf(ip) === destination.family)) {
      return []
    }
    return [required(`${at}.nextHop`, `there is no ${destination.family} gateway to send it to`)]
  })
}

function checkAnnounce({ announce, bgpPeers }: External, path: string): readonly FieldError[] {
  if (announce === 'BGP' || bgpPeers.length === 0) return []
  return [forbidden(`${path}.bgpPeers`, 'only with announce: BGP')]
}

/** What a move goes back to is what was there, and nothing that somebody thought up (R6.10). */
function checkMove({ move }: Site, before: Site | undefined): readonly FieldError[] {
  if (move === undefined) return []
  if (Number.isNaN(Date.parse(move.commitBy))) {
    const why = 'must be a time, such as 2026-11-18T12:00:00Z'
    return [invalid('spec.move.commitBy', move.commitBy, why)]
  }
  if (before === undefined) return []
  const isOpen = before.move !== undefined && !isRolledBack(before)
  const was = isOpen ? before.move?.before : externalOf(before)
  if (isSame(was, move.before)) return []
  const why = 'must be what spec.external was before the move; berth site apply writes it'
  return [forbidden('spec.move.before', why)]
}
