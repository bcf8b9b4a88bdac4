// What would the API server make of a Service, or why would it refuse it, where none runs? The same
// defaults, allocation and checks as in the embedded API, beside Services that are handed in.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject, Refused, ServiceRules } from '../../../../core/model/gate.ts'
import { metaOf, textOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import type { Refused as StatusRefused } from '../../values/status.ts'
import { allocated } from './allocate.ts'
import { withoutUnneeded } from './carry.ts'
import { serviceDefaults } from './defaults.ts'
import { Holdings } from './holdings.ts'
import { type ServiceRanges, usualRanges } from './ranges.ts'
import { service as strategy } from './service.ts'
import { checkServiceStatus, ingressOf } from './serviceStatus.ts'

export const singleStack: ServiceRanges = {
  ...usualRanges,
  clusterIps: usualRanges.clusterIps.slice(0, 1),
}

export const offlineServices =
  (ranges: ServiceRanges): ServiceRules =>
  (service, before, others) => {
    const holdings = new Holdings(ranges, () => 0)
    for (const other of others) holdings.hold(keyOf(other), other)
    const promised = { ips: [], ports: [] }
    const given = allocated({ holdings, promised }, serviceDefaults(service), before)
    if (!given.ok) return refusal(given)
    const errors = statusErrors(given.value, before)
    const { status = { loadBalancer: {} } } = errors.length > 0 ? (before ?? {}) : given.value
    const stored = { ...given.value, status }
    const json = before === undefined ? stored : withoutUnneeded(stored, before)
    const flaws = strategy.checked(json, before)
    if (flaws.length > 0) return { ok: false, isUnreadable: false, errors: flaws }
    return { ok: true, json, errors }
  }

/** Only of a list that is new: an old one goes by itself with the type that it needs. */
function statusErrors(service: JsonObject, before: JsonObject = {}): readonly FieldError[] {
  const isOld = sameJson(ingressOf(service), ingressOf(before))
  return isOld ? [] : checkServiceStatus(service, before)
}

function keyOf(service: JsonObject): string {
  const { namespace, name } = metaOf(service)
  return `${textOf(namespace)}/${textOf(name)}`
}

function refusal({ status }: StatusRefused): Refused {
  const causes = status.details?.causes ?? [{ message: status.message, field: '' }]
  const errors = causes.map(({ field = '', message }) => ({ path: field, message }))
  return { ok: false, isUnreadable: false, errors }
}
