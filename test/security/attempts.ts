// Which attempts are made on a whole installation? A new one is a file, and a line here.
import type { Attempt } from './attempt.ts'
import { anothersWire } from './attempts/anothersWire.ts'
import { beyondQuota } from './attempts/beyondQuota.ts'
import { churn } from './attempts/churn.ts'
import { controllerAccount } from './attempts/controllerAccount.ts'
import { controllerElsewhere } from './attempts/controllerElsewhere.ts'
import { controllerRoutes } from './attempts/controllerRoutes.ts'
import { dnsServers } from './attempts/dnsServers.ts'
import { keptForEver } from './attempts/keptForEver.ts'
import { madeObjects } from './attempts/madeObjects.ts'
import { movedService } from './attempts/movedService.ts'
import { namespaceToken } from './attempts/namespaceToken.ts'
import { nodeAccount } from './attempts/nodeAccount.ts'
import { nodeAnothersRoutes } from './attempts/nodeAnothersRoutes.ts'
import { nodeAsAnother } from './attempts/nodeAsAnother.ts'
import { nodeDeletesReports } from './attempts/nodeDeletesReports.ts'
import { operatorsLease } from './attempts/operatorsLease.ts'
import { othersHosts } from './attempts/othersHosts.ts'
import { othersNames } from './attempts/othersNames.ts'
import { othersObjects } from './attempts/othersObjects.ts'
import { othersPool } from './attempts/othersPool.ts'
import { othersRoutes } from './attempts/othersRoutes.ts'
import { ownStatus } from './attempts/ownStatus.ts'
import { posesAsMetallb } from './attempts/posesAsMetallb.ts'
import { reservations } from './attempts/reservations.ts'
import { sharedAddress } from './attempts/sharedAddress.ts'
import { wrongInEveryWay } from './attempts/wrongInEveryWay.ts'

export const attempts: readonly Attempt[] = [
  othersPool,
  sharedAddress,
  beyondQuota,
  othersObjects,
  reservations,
  movedService,
  madeObjects,
  othersNames,
  othersHosts,
  anothersWire,
  keptForEver,
  othersRoutes,
  dnsServers,
  operatorsLease,
  posesAsMetallb,
  ownStatus,
  wrongInEveryWay,
  churn,
  namespaceToken,
  nodeAccount,
  nodeAsAnother,
  nodeAnothersRoutes,
  nodeDeletesReports,
  controllerAccount,
  controllerElsewhere,
  controllerRoutes,
]
