// berth site plan: which Services, names and routes would change? What berth plan would say, and
// the names and routes beside it. Nothing is written.
import type { Json } from '../../../core/model/json.ts'
import { externalOf, siteName } from '../../../core/model/site.ts'
import { siteNames } from '../../../core/policy/made/site/siteNames.ts'
import { wantedRoutes } from '../../../core/policy/made/site/siteRoutes.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { changesAnything, planOf } from '../../../core/sim/plan.ts'
import { snapshot } from '../../../core/sim/snapshot.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Exit, Io } from '../io.ts'
import { loadLive } from '../live/loadLive.ts'
import type { Session } from '../load.ts'
import { planText } from '../plan/planText.ts'

export async function planSite(session: Session, api: Api, wanted: Json): Promise<Exit> {
  const { cluster, io } = session
  const there = await loadLive(session, api)
  cluster.settle()
  const [before, linesBefore] = [shotOf(cluster), linesOf(cluster)]
  const applied = cluster.apply(wanted)
  if (!applied.ok) return tellRefusal(applied.errors, io)
  cluster.settle()
  const plan = planOf(before, shotOf(cluster))
  const linesAfter = linesOf(cluster)
  const sections = (['Names', 'Routes'] as const).map((title) =>
    difference(title, linesBefore[title], linesAfter[title]),
  )
  const passedOver = [...there.passedOver.values()].reduce((sum, count) => sum + count, 0)
  const style = { isWide: false, isTerminal: io.isTerminal, troubles: [], passedOver }
  io.out(sections.join(''))
  ;(io.painted ?? io.out)(planText(plan, style))
  const isChanged = changesAnything(plan) || sections.some((text) => text !== '')
  return isChanged ? 2 : 0
}

function tellRefusal(errors: readonly { path: string; message: string }[], io: Io): 1 {
  for (const { path, message } of errors) io.err(`berth: Site/${siteName}: ${path}: ${message}\n`)
  return 1
}

const shotOf = (cluster: Cluster) => snapshot(cluster.world, cluster.speakers())

function linesOf({ world }: Cluster): Readonly<Record<'Names' | 'Routes', readonly string[]>> {
  const site = world.all('Site').get(siteName)
  const external = site === undefined ? undefined : externalOf(site)
  return {
    Names: siteNames(external).map(({ name, address }) => `${name} -> ${address}`),
    Routes: (external === undefined ? [] : wantedRoutes(world, external)).map(
      ({ destination, nextHop, interface: link }) =>
        `${destination} via ${nextHop}${link === '' ? '' : ` on ${link}`}, on every node`,
    ),
  }
}

function difference(title: string, before: readonly string[], after: readonly string[]): string {
  const gone = before.filter((line) => !after.includes(line)).map((line) => `  - ${line}`)
  const come = after.filter((line) => !before.includes(line)).map((line) => `  + ${line}`)
  const lines = [...gone, ...come]
  return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n\n`
}
