// Are cluster IPs, families and policy of a Service consistent, and is their change allowed?
import type { FieldError } from '../../../../core/model/admission.ts'
import { duplicate, invalid, unsupported } from '../../../kube/schema/schemaMessages.ts'
import { firstErrors } from '../firstErrors.ts'
import { checkIp } from '../ipFields.ts'
import { isHeadless, needsClusterIp } from './needs.ts'
import type { Spec } from './spec.ts'

const families = ['IPv4', 'IPv6']
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']
const path = 'spec.clusterIPs'

export function checkClusterIps(spec: Spec, old: Spec | undefined): readonly FieldError[] {
  if (!needsClusterIp(spec)) return []
  const errors = [...checkFirst(spec), ...checkFamilies(spec)]
  const { ipFamilyPolicy, clusterIPs } = spec
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) {
    errors.push(unsupported('spec.ipFamilyPolicy', ipFamilyPolicy, policies))
  }
  const addresses = checkAddresses(spec, old)
  errors.push(...addresses)
  if (clusterIPs.length > 2) errors.push(invalid(path, clusterIPs, 'may only hold up to 2 values'))
  if (addresses.length > 0) return errors
  const kinds = new Set(clusterIPs.map(isV6))
  if (clusterIPs.length > 1 && kinds.size < 2) {
    const why = 'may specify no more than one IP for each IP family'
    errors.push(invalid(path, clusterIPs, why))
  }
  return [...errors, ...checkMatching(spec)]
}

const isV6 = (text: string): boolean => text.includes(':')

function checkFirst({ clusterIP, clusterIPs }: Spec): FieldError[] {
  if (clusterIP === '') {
    const why = 'must be empty when `clusterIP` is not specified'
    return clusterIPs.length === 0 ? [] : [invalid(path, clusterIPs, why)]
  }
  if (clusterIPs.length === 0) return [{ path, message: 'Required value' }]
  if (clusterIPs[0] === clusterIP) return []
  return [invalid(path, clusterIPs, 'first value must match `clusterIP`')]
}

function checkFamilies({ ipFamilies }: Spec): readonly FieldError[] {
  const seen = new Set<string>()
  const isRepeated = (family: string): boolean => seen.size === seen.add(family).size
  return firstErrors(ipFamilies, (family, index) => {
    const at = `spec.ipFamilies[${index}]`
    return [
      ...(families.includes(family) ? [] : [unsupported(at, family, families)]),
      ...(isRepeated(family) ? [duplicate(at, family)] : []),
    ]
  })
}

/** An unchanged value stays valid, however it is spelled. */
function checkAddresses({ clusterIPs }: Spec, old: Spec | undefined): readonly FieldError[] {
  return firstErrors(clusterIPs, (text, index) => {
    if (index === 0 && text === 'None') {
      const why = "'None' must be the first and only value"
      return clusterIPs.length > 1 ? [invalid(path, clusterIPs, why)] : []
    }
    if (old?.clusterIPs.includes(text)) return []
    const checked = checkIp(`${path}[${index}]`, text)
    return checked.ok ? [] : checked.errors
  })
}

function checkMatching(spec: Spec): readonly FieldError[] {
  if (isHeadless(spec)) return []
  return firstErrors(spec.clusterIPs, (text, index) => {
    const family = spec.ipFamilies[index]
    if (family === undefined || (family === 'IPv6') === isV6(text)) return []
    const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``
    return [invalid(`${path}[${index}]`, text, why)]
  })
}

/** The first never changes; the second depends on the policy. */
export function checkClusterIpsUpdate(spec: Spec, old: Spec): readonly FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(old)) return []
  const isBoth = isHeadless(spec) && isHeadless(old)
  const isEither = isHeadless(spec) || isHeadless(old)
  return [
    ...(isBoth ? [] : checkKept(spec, old, 'clusterIPs')),
    ...(isEither ? [] : checkKept(spec, old, 'ipFamilies')),
  ]
}

const called = { clusterIPs: 'clusterIP', ipFamilies: 'ipFamily' } as const

function checkKept(spec: Spec, old: Spec, list: keyof typeof called): readonly FieldError[] {
  const one = called[list]
  const [now, then] = [spec[list], old[list]]
  const at = `spec.${list}`
  const isFirstSame = now[0] === then[0]
  if (now.length === then.length) {
    return then.flatMap((text, index) =>
      text === now[index]
        ? []
        : [invalid(`${at}[${list === 'ipFamilies' ? 0 : index}]`, now, 'may not change once set')],
    )
  }
  const errors: FieldError[] = []
  const isLess = now.length < then.length
  if (isLess && spec.clusterIPs.length === 0) {
    errors.push(invalid(`${at}[0]`, now, `primary ${one} can not be unset`))
  }
  if (now.length > 0 && then.length > 0 && !isFirstSame) {
    errors.push(invalid(`${at}[0]`, spec.clusterIPs, 'may not change once set'))
  }
  if (isLess && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const why = `must be set to 'SingleStack' when releasing the secondary ${one}`
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? null, why))
  }
  return errors
}
