// How is a decision written to a Service? One strategic-merge patch of its status that carries
// annotation, ingress and condition, under the uid and version it was decided from (R3.12).
import type { ServiceView } from '../../core/model/service.ts'
import type { ServiceWrite } from '../../core/policy/decideService.ts'

const poolAnnotation = 'metallb.io/ip-allocated-from-pool'
const conditionType = 'berth.dev/Addressed'

export function servicePatch(view: ServiceView, write: ServiceWrite, now: string): object {
  return {
    metadata: {
      uid: view.uid,
      resourceVersion: view.resourceVersion,
      annotations: { [poolAnnotation]: write.pool === '' ? null : write.pool },
    },
    status: { ...ingressPatch(view, write), conditions: [conditionPatch(view, write, now)] },
  }
}

/** Says nothing new, and yet changes the version: whoever decided from the old one is refused. */
export function touchPatch(view: ServiceView, now: string): object {
  const { uid, resourceVersion, addressed } = view
  const { status, reason, message } = addressed ?? { status: 'Unknown', reason: '', message: '' }
  const condition = { type: conditionType, status, reason, message, lastTransitionTime: now }
  return { metadata: { uid, resourceVersion }, status: { conditions: [condition] } }
}

/** Entries that stay are not sent: their other fields (ipMode, ports) are not ours. */
function ingressPatch(view: ServiceView, { ips }: ServiceWrite): object {
  const isSame =
    ips?.length === view.ingress.length && ips.every((ip, at) => ip === view.ingress[at])
  if (ips === undefined || (isSame && !view.hasOtherIngress)) return {}
  return { loadBalancer: { ingress: ips.length === 0 ? null : ips.map((ip) => ({ ip })) } }
}

/** The transition time moves only when the status does. */
function conditionPatch({ addressed }: ServiceView, write: ServiceWrite, now: string): object {
  if (write.condition === undefined) return { $patch: 'delete', type: conditionType }
  const { status, reason, message } = write.condition
  const isTransition = addressed?.status !== status
  const time = isTransition ? { lastTransitionTime: now } : {}
  return { type: conditionType, status, reason, message, ...time }
}
