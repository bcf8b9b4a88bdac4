// berth site plan: which Services, names and routes would change? What berth plan would say of the
// Site. Nothing is written.
import type { Json } from '../../../core/model/json.ts'
import { siteName } from '../../../core/model/site.ts'
import { changesAnything, planOf } from '../../../core/sim/plan.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Exit, Io } from '../io.ts'
import { loadLive } from '../live/loadLive.ts'
import type { Session } from '../load.ts'
import { planText } from '../plan/planText.ts'
import { standingOf } from '../plan/predict.ts'

export async function planSite(session: Session, api: Api, wanted: Json): Promise<Exit> {
  const { cluster, io } = session
  const there = await loadLive(session, api)
  cluster.settle()
  const before = standingOf(cluster)
  const applied = cluster.apply(wanted)
  if (!applied.ok) return tellRefusal(applied.errors, io)
  cluster.settle()
  const plan = planOf(before, standingOf(cluster))
  const passedOver = [...there.passedOver.values()].reduce((sum, count) => sum + count, 0)
  const style = { isWide: false, isTerminal: io.isTerminal, troubles: [], passedOver }
  ;(io.painted ?? io.out)(planText(plan, style))
  return changesAnything(plan) ? 2 : 0
}

function tellRefusal(errors: readonly { path: string; message: string }[], io: Io): 1 {
  for (const { path, message } of errors) io.err(`berth: Site/${siteName}: ${path}: ${message}\n`)
  return 1
}
