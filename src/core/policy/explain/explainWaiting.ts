// Which Services wait for a pool or an address, and why? Oldest first (R2.3).
import type { Reason } from '../../model/reason.ts'
import type { Key } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { type Lack, lackOf } from './explainOutcome.ts'

export type Waiter = {
  readonly service: Key
  readonly createdAt: string
  readonly reason: Reason
  readonly message: string
}

export function waitersFor(
  world: ReadonlyWorld,
  concerns: (lack: Lack, service: Key) => boolean,
): Waiter[] {
  const waiters = [...world.waiting.keys()].flatMap((key): Waiter[] => {
    const lack = lackOf(world, key)
    if (lack === undefined || !concerns(lack, key)) return []
    const { reason, message } = lack.refusal
    const createdAt = world.services.get(key)?.createdAt ?? ''
    return [{ service: key, createdAt, reason, message }]
  })
  const age = ({ createdAt, service }: Waiter) => `${createdAt} ${service}`
  return waiters.sort((one, other) => (age(one) < age(other) ? -1 : 1))
}
