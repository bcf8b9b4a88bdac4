// One request of those that Kubernetes was asked as well, in one line each.
import type { Asked } from './writesStand.ts'

export type Json = Readonly<Record<string, unknown>>
/** What is only roughly the same: words that are Go's own, or what our definitions do at once. */
export type Step = Asked & { readonly compares?: 'all' | 'code' | 'reason' }

export const post = (path: string, body: unknown, more: Partial<Step> = {}): Step => ({
  method: 'POST',
  path,
  body,
  ...more,
})
export const put = (path: string, body: unknown): Step => ({ method: 'PUT', path, body })
export const patch = (path: string, body: unknown, type: Asked['type'] = 'merge'): Step => ({
  method: 'PATCH',
  path,
  body,
  type,
})
export const remove = (path: string, body?: unknown): Step => ({ method: 'DELETE', path, body })
export const roughly = (step: Step, compares: Step['compares'] = 'reason'): Step => ({
  ...step,
  compares,
})
