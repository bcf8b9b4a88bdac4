// How is a decision written to a Service? One strategic-merge patch of its status that carries
// annotation, ingress and condition, under the uid and version it was decided from (R3.12).
import type { ServiceView } from '../../core/model/service.ts'
import { type Condition, ingressAfter, isTransition } from '../../core/model/write.ts'
import type { ServiceWrite } from '../../core/policy/claims.ts'
import { addressedType, statusWrite } from '../../core/policy/decideService.ts'

export function servicePatch(view: ServiceView, decided: ServiceWrite, now: string): object {
  const { uid, resourceVersion } = view
  const write = statusWrite(view, decided)
  const annotations = Object.fromEntries(
    Object.entries(write.annotations ?? {}).map(([name, text]) => [name, text ?? null]),
  )
  const conditions = Object.entries(write.conditions ?? {}).map(([type, condition]) =>
    condition === undefined ? { $patch: 'delete', type } : conditionPatch(view, condition, now),
  )
  const status = { ...ingressPatch(view, write.ingress), conditions }
  return { metadata: { uid, resourceVersion, annotations }, status }
}

/** Says nothing new, and yet changes the version: whoever decided from the old one is refused. */
export function touchPatch(view: ServiceView, now: string): object {
  const { uid, resourceVersion, addressed } = view
  const { status, reason, message } = addressed ?? { status: 'Unknown', reason: '', message: '' }
  const condition = { type: addressedType, status, reason, message, lastTransitionTime: now }
  return { metadata: { uid, resourceVersion }, status: { conditions: [condition] } }
}

/** A list is sent whole, so entries that stay carry what others wrote in them (ipMode, ports). */
function ingressPatch(view: ServiceView, ips: readonly string[] | undefined): object {
  const isSame =
    ips?.length === view.ingress.length && ips.every((ip, at) => ip === view.ingress[at])
  if (ips === undefined || (isSame && !view.hasOtherIngress)) return {}
  const { ingressEntries = [] } = view
  return { loadBalancer: { ingress: ips.length === 0 ? null : ingressAfter(ingressEntries, ips) } }
}

function conditionPatch({ addressed }: ServiceView, condition: Condition, now: string): object {
  const time = isTransition(addressed?.status, condition) ? { lastTransitionTime: now } : {}
  return { type: addressedType, ...condition, ...time }
}
