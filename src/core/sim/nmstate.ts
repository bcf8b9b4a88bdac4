// What does nmstate say of a policy? In a scenario that it has been carried out, at once.
import { isRecord, type Json, recordAt } from '../model/json.ts'

/** The conditions that nmstate's operator sets once every node is done. */
export const availableConditions = (now: string): readonly Json[] =>
  [
    { type: 'Available', status: 'True', message: '1/1 nodes successfully configured' },
    { type: 'Degraded', status: 'False' },
    { type: 'Progressing', status: 'False' },
  ].map((condition) => ({
    ...condition,
    reason: 'SuccessfullyConfigured',
    lastTransitionTime: now,
    lastHeartbeatTime: now,
  }))

/** A policy as it is once nmstate is through with it; anything else as it was. */
export const asReported = (json: Json, now: string): Json =>
  json['kind'] === 'NodeNetworkConfigurationPolicy' && !isAvailable(json)
    ? { ...json, status: { conditions: availableConditions(now) } }
    : json

export function isAvailable(policy: Json): boolean {
  const { conditions } = recordAt(policy, 'status')
  return (Array.isArray(conditions) ? conditions.filter(isRecord) : []).some(
    ({ type, status }) => type === 'Available' && status === 'True',
  )
}
