// Which deciders are there? In this order: what comes later follows from what comes before.
import { addresses } from './decideAddress.ts'
import { releasedPools } from './decideReleasedPool.ts'
import type { Decider } from './decider.ts'
import { services } from './decideService.ts'
import { tenants } from './decideTenant.ts'
import { poolStatuses } from './poolStatus.ts'

export const deciders: readonly Decider[] = [
  services,
  addresses,
  tenants,
  poolStatuses,
  releasedPools,
]
