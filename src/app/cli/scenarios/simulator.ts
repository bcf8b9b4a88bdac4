// In which simulated cluster does a scenario run? One whose API server has the families that the
// scenario takes for granted, and refuses the Services that a real one refuses.
import type { Gate } from '../../../core/model/gate.ts'
import type { Scenario } from '../../../core/sim/scenario.ts'
import type { ScenarioCluster } from '../../../core/sim/scenarioCluster.ts'
import { simulated } from '../../../core/sim/simulated.ts'
import { offlineServices, singleStack } from '../../../edge/store/write/service/offline.ts'
import { usualRanges } from '../../../edge/store/write/service/ranges.ts'
import { wantsOf } from './whyNotLive.ts'

export function simulatorFor(scenario: Scenario, gate: Gate): ScenarioCluster {
  const ranges = wantsOf(scenario).isSingleStack ? singleStack : usualRanges
  return simulated({ ...gate, service: offlineServices(ranges) })
}
