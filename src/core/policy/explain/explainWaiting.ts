// Which Services wait for a pool or an address, and why? Oldest first (R2.3).
import type { Reason, Refusal } from '../../model/reason.ts'
import type { Key } from '../../model/service.ts'
import type { Wait } from '../../model/waiting.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { decideService } from '../decideService.ts'

export type Waiter = {
  readonly service: Key
  readonly createdAt: string
  readonly reason: Reason
  readonly message: string
}
/** What a Service waits for, with or without an address of its other family. */
export type Lack = { readonly service: Key; readonly refusal: Refusal; readonly wait: Wait }

export function waitersFor(world: ReadonlyWorld, concerns: (lack: Lack) => boolean): Waiter[] {
  const waiters = [...world.waiting.keys()].flatMap((service): Waiter[] => {
    const { intent, lacks: refusal } = decideService(world, service)
    if (intent.wait === undefined || refusal === undefined) return []
    if (!concerns({ service, refusal, wait: intent.wait })) return []
    const { reason, message } = refusal
    const createdAt = world.services.get(service)?.createdAt ?? ''
    return [{ service, createdAt, reason, message }]
  })
  const age = ({ createdAt, service }: Waiter) => `${createdAt} ${service}`
  return waiters.sort((one, other) => (age(one) < age(other) ? -1 : 1))
}
