// What can be written, and how does the object look afterwards? One encoding for the controller and
// the simulator.
import { parseIp } from '../net/ip.ts'
import type { JsonObject } from './gate.ts'
import { isRecord, recordAt } from './json.ts'

export type Ref = {
  readonly kind: string
  readonly name: string
  /** Absent for a kind that has none. */
  readonly namespace?: string
}
export type Condition = {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}
export type StatusWrite = {
  readonly type: 'status'
  readonly of: Ref
  /** Each replaces the whole field of that name; other fields are left alone. */
  readonly fields?: JsonObject
  /** Of a load balancer. The other fields of an entry stay with their address (M12.2). */
  readonly ingress?: readonly string[] | undefined
  /** By type; undefined removes one. */
  readonly conditions?: Readonly<Record<string, Condition | undefined>>
  /** Only on Services: elsewhere the API does not take them together with the status. */
  readonly annotations?: Readonly<Record<string, string | undefined>>
}
export type Write =
  | StatusWrite
  /** Sets these fields, removes what we set before, and leaves others alone. */
  | {
      readonly type: 'apply'
      readonly object: JsonObject
      /** What stands there and is not ours is a refusal, and not left alone in silence. */
      readonly isRequired?: true
      /** Not made where the API does not serve the kind. */
      readonly ifServed?: true
      /** What it is made from, as Kind/name, if that is in another namespace and cannot own it. */
      readonly maker?: string
    }
  /** Of an object that goes: who waited with these waits no longer. */
  | { readonly type: 'unfinalize'; readonly of: Ref; readonly finalizers: readonly string[] }
  /** Only if it is made from that one, where one is named. */
  | { readonly type: 'delete'; readonly of: Ref; readonly madeFrom?: Ref }

export function withStatus(before: JsonObject, write: StatusWrite, now: string): JsonObject {
  const metadata = recordAt(before, 'metadata')
  const annotations = defined({ ...recordAt(metadata, 'annotations'), ...write.annotations })
  const status = { ...recordAt(before, 'status'), ...write.fields }
  if (write.ingress !== undefined) status['loadBalancer'] = balancer(status, write.ingress)
  if (write.conditions !== undefined) status['conditions'] = conditionsIn(status, write, now)
  const hasNotes = write.annotations !== undefined
  return { ...before, ...(hasNotes ? { metadata: { ...metadata, annotations } } : {}), status }
}

const defined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function balancer(status: JsonObject, ips: readonly string[]): JsonObject {
  const { ingress } = recordAt(status, 'loadBalancer')
  const entries = Array.isArray(ingress) ? ingress.filter(isRecord) : []
  return ips.length === 0 ? {} : { ingress: ingressAfter(entries, ips) }
}

/** Each address with whatever else its entry says. */
export const ingressAfter = (
  entries: readonly JsonObject[],
  ips: readonly string[],
): readonly JsonObject[] =>
  ips.map((ip) => entries.find((entry) => canonical(entry['ip']) === ip) ?? { ip })

function canonical(text: unknown): string | undefined {
  const ip = parseIp(String(text))
  return ip.ok ? ip.value : undefined
}

function conditionsIn(status: JsonObject, { conditions = {} }: StatusWrite, now: string) {
  const list = status['conditions']
  const known = Array.isArray(list) ? list.filter(isRecord) : []
  const others = known.filter(({ type }) => !Object.hasOwn(conditions, String(type)))
  const ours = Object.entries(conditions).flatMap(([type, condition]) => {
    const before = known.find((one) => one['type'] === type)
    if (condition === undefined) return []
    const since = isTransition(before?.['status'], condition) ? now : before?.['lastTransitionTime']
    return { type, ...condition, lastTransitionTime: since ?? now }
  })
  return [...others, ...ours]
}

/** The transition time moves only when the status does. */
export const isTransition = (before: unknown, after: Condition): boolean => before !== after.status
