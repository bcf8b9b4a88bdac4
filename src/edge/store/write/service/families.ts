// Which address families does a Service have? Its policy, families and cluster IPs are completed
// from each other, and contradictions are refused before anything is allocated.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { type Family, familyOf } from '../../../../core/net/ip.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { sameJson } from '../../values/sameJson.ts'
import { checkIp } from '../ipFields.ts'
import { withSpec } from '../jsonChange.ts'
import { checkClusterIps } from './checkClusterIps.ts'
import { needsClusterIp } from './needs.ts'
import { type Spec, specOf } from './spec.ts'

type Completed =
  | { readonly ok: true; readonly service: JsonObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

const completed = (service: JsonObject): Completed => ({ ok: true, service })

/** `families` are those of the cluster, the default first. */
export function withFamilies(
  service: JsonObject,
  before: JsonObject | undefined,
  families: readonly Family[],
): Completed {
  const old = before && specOf(before)
  if (!needsClusterIp(specOf(service)) || keepsPreferring(specOf(service), old)) {
    return completed(service)
  }
  const decided = withSpec(service, { ipFamilyPolicy: policyOf(specOf(service), old) })
  const early = checkClusterIps(specOf(decided), old)
  if (early.length > 0) return { ok: false, errors: early }
  const single = old === undefined ? decided : withoutSecond(decided, old)
  const spec = specOf(single)
  const errors = [...(old === undefined ? [] : checkReduced(spec, old)), ...checkPolicy(spec)]
  const inferred = inferredFamilies(spec, families)
  errors.push(...inferred.errors)
  if (errors.length > 0) return { ok: false, errors }
  return chosen(single, { ...spec, ipFamilies: inferred.families }, families)
}

function chosen(service: JsonObject, spec: Spec, families: readonly Family[]): Completed {
  const isForAll = spec.clusterIP === 'None' && !spec.hasSelector
  const errors = isForAll ? [] : checkConfigured(spec, families)
  if (errors.length > 0) return { ok: false, errors }
  const [usual = 'IPv4'] = families
  const [first = usual, ...rest] = spec.ipFamilies
  const isDual = spec.ipFamilyPolicy !== 'SingleStack' && rest.length === 0
  const canBeDual = isForAll || families.length === 2
  const second = isDual && canBeDual ? [first === 'IPv4' ? 'IPv6' : 'IPv4'] : rest
  return completed(withSpec(service, { ipFamilies: [first, ...second] }))
}

/** Nothing changes if only the cluster has. */
function keepsPreferring(spec: Spec, old: Spec | undefined): boolean {
  return (
    old !== undefined &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    old.ipFamilyPolicy === 'PreferDualStack' &&
    sameJson(spec.clusterIPs, old.clusterIPs) &&
    sameJson(spec.ipFamilies, old.ipFamilies)
  )
}

function policyOf(spec: Spec, old: Spec | undefined): string {
  if (spec.ipFamilyPolicy !== undefined) return spec.ipFamilyPolicy
  if (old?.ipFamilyPolicy !== undefined) return old.ipFamilyPolicy
  return spec.clusterIP === 'None' && !spec.hasSelector ? 'RequireDualStack' : 'SingleStack'
}

/** Setting SingleStack is enough to release the second address. */
function withoutSecond(service: JsonObject, old: Spec): JsonObject {
  const { ipFamilyPolicy, clusterIPs, ipFamilies } = specOf(service)
  if (ipFamilyPolicy !== 'SingleStack') return service
  const isSame = sameJson(clusterIPs, old.clusterIPs) && clusterIPs.length > 1
  const isSameFamily = sameJson(ipFamilies, old.ipFamilies) && ipFamilies.length > 1
  return withSpec(service, {
    ...(isSame ? { clusterIPs: clusterIPs.slice(0, 1) } : {}),
    ...(isSameFamily ? { ipFamilies: ipFamilies.slice(0, 1) } : {}),
  })
}

const ofPolicy = ({ ipFamilyPolicy }: Spec, why: string): FieldError =>
  invalid('spec.ipFamilyPolicy', ipFamilyPolicy, why)

function checkReduced(spec: Spec, old: Spec): FieldError[] {
  if (spec.ipFamilyPolicy === 'SingleStack') return []
  const isLess = (now: readonly string[], then: readonly string[]): boolean =>
    now.length > 0 && now.length < then.length
  const words = (what: string) => `must be 'SingleStack' to release the secondary ${what}`
  return [
    ...(isLess(spec.clusterIPs, old.clusterIPs) ? [ofPolicy(spec, words('cluster IP'))] : []),
    ...(isLess(spec.ipFamilies, old.ipFamilies) ? [ofPolicy(spec, words('IP family'))] : []),
  ]
}

function checkPolicy(spec: Spec): readonly FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return []
  const words = (what: string) =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
  return [
    ...(spec.clusterIPs.length === 2 ? [ofPolicy(spec, words('cluster IPs'))] : []),
    ...(spec.ipFamilies.length === 2 ? [ofPolicy(spec, words('IP families'))] : []),
  ]
}

function inferredFamilies(spec: Spec, families: readonly Family[]) {
  const errors: FieldError[] = []
  const found = [...spec.ipFamilies]
  for (const [index, text] of spec.clusterIPs.entries()) {
    if (text === 'None') break
    const checked = checkIp('', text)
    if (!checked.ok || index < spec.ipFamilies.length) continue
    const family = familyOf(checked.ip)
    if (families.includes(family)) found.push(family)
    else {
      const why = `${family} is not configured on this cluster`
      errors.push(invalid(`spec.clusterIPs[${index}]`, spec.clusterIPs, why))
    }
  }
  return { errors, families: found }
}

function checkConfigured(spec: Spec, families: readonly Family[]): readonly FieldError[] {
  const isDual = spec.ipFamilyPolicy === 'RequireDualStack' && families.length < 2
  const why = 'this cluster is not configured for dual-stack services'
  return [
    ...(isDual ? [ofPolicy(spec, why)] : []),
    ...spec.ipFamilies.flatMap((family, index) =>
      families.some((one) => one === family)
        ? []
        : [invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ]
}
