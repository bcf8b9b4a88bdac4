// Is the status of a Service valid? Only a LoadBalancer may have addresses (C63).
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid, unsupported } from '../../../kube/schema/schemaMessages.ts'
import { recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { firstErrors } from '../firstErrors.ts'
import { checkIp } from '../ipFields.ts'
import { dnsSubdomain } from '../names.ts'
import { specOf } from './spec.ts'

const modes = ['Proxy', 'VIP']
const path = 'status.loadBalancer.ingress'

export function checkServiceStatus(service: JsonObject, before: JsonObject): readonly FieldError[] {
  const ingress = ingressOf(service)
  if (specOf(service).type !== 'LoadBalancer' && ingress.length > 0) {
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  const kept = new Set(ingressOf(before).map(({ ip }) => textOf(ip)))
  return firstErrors(ingress, (one, index) => checkIngress(one, `${path}[${index}]`, kept))
}

export const ingressOf = ({ status }: JsonObject): readonly JsonObject[] =>
  recordsOf(recordOf(recordOf(status)['loadBalancer'])['ingress'])

function checkIngress(
  ingress: JsonObject,
  at: string,
  kept: ReadonlySet<string>,
): readonly FieldError[] {
  const [ip, hostname, mode] = [
    textOf(ingress['ip']),
    textOf(ingress['hostname']),
    ingress['ipMode'],
  ]
  const errors: FieldError[] = []
  if (ip !== '' && !kept.has(ip)) {
    const checked = checkIp(`${at}.ip`, ip)
    if (!checked.ok) errors.push(...checked.errors)
  }
  if (mode !== undefined && ip === '') {
    errors.push(forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set'))
  } else if (mode !== undefined && !modes.includes(textOf(mode))) {
    errors.push(unsupported(`${at}.ipMode`, mode, modes))
  }
  return [...errors, ...(hostname === '' ? [] : checkHostname(hostname, `${at}.hostname`))]
}

function checkHostname(hostname: string, at: string): readonly FieldError[] {
  const isAddress = checkIp(at, hostname).ok
  return [
    ...dnsSubdomain(hostname).map((why) => invalid(at, hostname, why)),
    ...(isAddress ? [invalid(at, hostname, 'must be a DNS name, not an IP address')] : []),
  ]
}
