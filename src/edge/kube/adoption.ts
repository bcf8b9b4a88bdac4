// Has Berth taken over what others gave before it? The controller's Lease says so, to the next
// controller, to speakers and to people (R3.15).
import type { Fields } from './decode/fields.ts'

export const leaseName = 'berth-controller'
export const adoptionAnnotation = 'berth.dev/adoption'

/** `begun`: what a Service's status shows is still taken over; `done`: it needs an Address. */
export type Adoption = 'begun' | 'done'

/** Undefined if no controller that knows the mark has led yet. */
export function adoptionOf(lease: Fields): Adoption | undefined {
  const text = lease.inner('metadata').labels('annotations')[adoptionAnnotation]
  return text === 'begun' || text === 'done' ? text : undefined
}
