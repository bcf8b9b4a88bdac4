// What does a Service ask for, and can it be read? Families, a pool's name, addresses (M2, M3.2).
import { no, type Refusal } from '../model/reason.ts'
import type { ServiceView } from '../model/service.ts'
import type { Tenant } from '../model/tenant.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { counted } from '../net/counted.ts'
import { type Family, familyOf, type Ip, parseIp } from '../net/ip.ts'

export type AddressRequest = {
  readonly service: ServiceView
  readonly tenant: Tenant | undefined
  readonly isAmbiguous: boolean
  /** One family or both, IPv4 first. */
  readonly families: readonly Family[]
  /** PreferDualStack is content with one of the two. */
  readonly takesEither: boolean
  readonly name: string
  /** As written, before translation; empty when none is asked for. */
  readonly asked: readonly Ip[]
  /** The first thing that is wrong with the request itself. */
  readonly flaw: Refusal | undefined
  /** Flawed in a way that leaves a holder alone (M3.3 step 7). */
  readonly isUnreadable: boolean
}

export function requestOf(world: ReadonlyWorld, service: ServiceView): AddressRequest {
  const belonging = world.tenantOf(service)
  const tenant = belonging.kind === 'tenant' ? world.all('Tenant').get(belonging.name) : undefined
  const families = (['IPv4', 'IPv6'] as const).filter((family) =>
    service.clusterFamilies.includes(family),
  )
  const ignores = tenant?.requestedAddresses === 'Ignore'
  const reading = ignores ? { asked: [], flaw: undefined } : readAddresses(service)
  const familyFlaw = flawOfFamilies(service, families)
  const mismatch = reading.flaw ?? flawOfAsked(reading.asked, families)
  return {
    service,
    tenant,
    isAmbiguous: belonging.kind === 'ambiguous',
    families,
    takesEither: service.familyPolicy === 'PreferDualStack' && families.length === 2,
    name: service.asksPool,
    asked: reading.asked,
    flaw: mismatch ?? familyFlaw,
    isUnreadable: reading.flaw !== undefined,
  }
}

/** Both families are required, but the Service itself has one (M3.3 step 3). */
export const lacksClusterIps = ({
  service,
  families,
}: Pick<AddressRequest, 'service' | 'families'>) =>
  service.familyPolicy === 'RequireDualStack' && families.length < 2

type Reading = { readonly asked: readonly Ip[]; readonly flaw: Refusal | undefined }

/** Two addresses have 91, and spaces; a Service can have 256 KiB of annotations. */
const longest = 1_024

function readAddresses({ asksByAnnotation, asksByField }: ServiceView): Reading {
  const { length } = asksByAnnotation
  if (length > longest) {
    const message = `at most two addresses can be requested, not ${counted(length, 'character')}`
    return flawed(no('address-invalid', message))
  }
  const texts = asksByAnnotation === '' ? [] : asksByAnnotation.split(',')
  if (asksByField !== '') texts.push(asksByField)
  const asked: Ip[] = []
  for (const text of texts) {
    const ip = parseIp(text.trim())
    if (!ip.ok) return flawed(no('address-invalid', `the address asked for: ${ip.why}`))
    asked.push(ip.value)
  }
  const listed =
    asksByAnnotation === '' ? asked : asked.slice(0, asked.length - Number(asksByField !== ''))
  if (listed.length > 2) {
    const message = `at most two addresses can be requested, not ${listed.length}`
    return flawed(no('address-invalid', message))
  }
  const [first, second] = listed
  if (first !== undefined && second !== undefined && familyOf(first) === familyOf(second)) {
    const message = `${first} and ${second} are both ${familyOf(first)}`
    return flawed(no('request-family-mismatch', message))
  }
  if (asksByAnnotation !== '' && asksByField !== '') {
    const both = 'both metallb.io/loadBalancerIPs and spec.loadBalancerIP are given'
    return flawed(no('request-contradicts', both))
  }
  return { asked, flaw: undefined }
}

const flawed = (flaw: Refusal): Reading => ({ asked: [], flaw })

function flawOfAsked(asked: readonly Ip[], families: readonly Family[]): Refusal | undefined {
  if (asked.length === 0) return undefined
  const given = asked.map(familyOf)
  if (given.length === families.length && families.every((family) => given.includes(family))) {
    return undefined
  }
  const its = families.join(' and ') || 'without a family'
  const message = `${asked.join(', ')}: the Service is ${its}`
  return no('request-family-mismatch', message)
}

function flawOfFamilies(service: ServiceView, families: readonly Family[]): Refusal | undefined {
  if (families.length === 0) {
    return no('request-family-mismatch', 'the Service has no cluster IP, so it has no family')
  }
  if (lacksClusterIps({ service, families })) {
    return no('request-family-mismatch', 'RequireDualStack needs two cluster IPs')
  }
  return undefined
}
