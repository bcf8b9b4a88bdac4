// Where has the Site arrived, which VIPs has it and who announces them, and what does each phase of
// a move wait for?
import { type Problem, problemRemedies } from '../../model/problem.ts'
import { refText } from '../../model/ref.ts'
import type { Key } from '../../model/service.ts'
import { type External, externalOf, isRolledBack, type Site, siteName } from '../../model/site.ts'
import { siteMaker } from '../../model/sitePools.ts'
import { type Vip, vipNames, vipServices, vipsFor } from '../../model/siteVips.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'
import { prefixText } from '../../net/range.ts'
import type { Speakers } from '../announce/advertise.ts'
import { siteStandings } from '../decideSite.ts'
import { siteNames } from '../made/site/siteNames.ts'
import { routeStandings } from '../made/site/siteRoutes.ts'
import { wantedRoutes } from '../made/site/wantedRoutes.ts'
import type { Standing } from '../made/standing.ts'
import { problems } from '../problems.ts'
import { type Announcing, explainAnnouncing } from './explainAnnouncing.ts'

export type SiteExplanation = {
  readonly site: string
  readonly internalNetwork: string
  readonly announce: string
  readonly interface: string
  readonly gateways: readonly Ip[]
  readonly vips: readonly VipExplanation[]
  readonly names: readonly string[]
  readonly routes: readonly string[]
  /** In the order in which a Site goes through them. */
  readonly phases: readonly Phase[]
  readonly objects: readonly Standing[]
  readonly problems: readonly (Problem & { readonly remedy: string })[]
  /** What to run now. */
  readonly next: string
}
export type VipExplanation = {
  readonly vip: Vip
  readonly addresses: readonly Ip[]
  readonly service: Key
  readonly pool: string
  readonly announcing: Announcing
}
type Phase = {
  readonly phase: 'arrived' | 'made' | 'addressed' | 'announced' | 'routed' | 'committed'
  readonly isDone: boolean
  /** What it waits for. */
  readonly message: string
}

export function explainSite(world: ReadonlyWorld, speakers: Speakers): SiteExplanation | undefined {
  const site = world.all('Site').get(siteName)
  if (site === undefined) return undefined
  const external = externalOf(site)
  const objects = siteStandings(world, site)
  const vips = external === undefined ? [] : vipsOf({ world, speakers }, site, external)
  const phases = phasesOf(world, site, { objects, vips })
  return {
    site: siteName,
    internalNetwork: site.internalNetwork === undefined ? '' : prefixText(site.internalNetwork),
    announce: external?.announce ?? '',
    interface: external?.interface ?? '',
    gateways: [external, external?.secondary].flatMap((pair) => pair?.gateway ?? []),
    vips,
    names: siteNames(external).map(({ name, address }) => `${name} -> ${address}`),
    routes: (external === undefined ? [] : wantedRoutes(world, external)).map(
      ({ destination, nextHop, interface: link }) =>
        `${destination} via ${nextHop}${link === '' ? '' : ` on ${link}`}`,
    ),
    phases,
    objects,
    problems: problems(world, speakers)
      .filter(({ object }) => object === siteMaker)
      .map((problem) => ({ ...problem, remedy: problemRemedies[problem.code] })),
    next: nextFor(site, phases, vips),
  }
}

type Seen = { readonly world: ReadonlyWorld; readonly speakers: Speakers }

function vipsOf({ world, speakers }: Seen, site: Site, external: External): VipExplanation[] {
  const both: readonly Vip[] = ['api', 'ingress']
  const services = vipServices(site)
  return both.map((vip, index) => {
    const service = services[index] ?? ''
    return {
      vip,
      addresses: vipsFor(external, vip),
      service,
      pool: vipNames[vip].pool,
      announcing: explainAnnouncing(world, speakers, service),
    }
  })
}

type Facts = Pick<SiteExplanation, 'objects' | 'vips'>

function phasesOf(world: ReadonlyWorld, site: Site, { objects, vips }: Facts): readonly Phase[] {
  if (vips.length === 0) {
    return [phase('arrived', ['spec.external has no addresses yet']), ...committed(site)]
  }
  const routes = routeStandings(world, site)
  const isRoute = ({ of }: Standing) => routes.some((one) => refText(one.of) === refText(of))
  const others = objects.filter((one) => !isRoute(one))
  const isAddress = ({ of, message }: Standing) =>
    of.kind === 'Service' && world.services.has(`${of.namespace}/${of.name}`) && message !== ''
  return [
    phase('arrived', []),
    phase('made', lacking(others.filter((one) => !isAddress(one)))),
    phase('addressed', lacking(others.filter(({ of }) => of.kind === 'Service'))),
    phase('announced', vips.flatMap(silent)),
    ...(routes.length === 0 ? [] : [phase('routed', lacking(routes))]),
    ...committed(site),
  ]
}

const phase = (name: Phase['phase'], waits: readonly string[]): Phase => ({
  phase: name,
  isDone: waits.length === 0,
  message: waits.join('; '),
})

const lacking = (standings: readonly Standing[]): readonly string[] =>
  standings
    .filter(({ state }) => state !== 'Made')
    .map(({ of, message }) => `${refText(of)}: ${message}`)

function silent({ service, announcing }: VipExplanation): readonly string[] {
  const { nodes, silence, isUnknown } = announcing
  if (isUnknown) return [`${service}: nothing is known of nodes`]
  if (nodes.some(({ announces }) => announces.length > 0)) return []
  return [`${service}: ${silence === undefined ? 'it has no address' : silence.why}`]
}

function committed(site: Site): readonly Phase[] {
  const { move } = site
  if (move === undefined) return []
  const message = isRolledBack(site)
    ? `rolled back at ${move.commitBy}, because nobody committed it`
    : `is taken back at ${move.commitBy} unless it is committed`
  return [phase('committed', [message])]
}

/** The first phase that waits says it. */
function nextFor(site: Site, phases: readonly Phase[], vips: readonly VipExplanation[]): string {
  if (isRolledBack(site)) return 'berth site apply'
  const waiting = phases.find(({ isDone }) => !isDone)?.phase
  const silentOne = vips.find((one) => silent(one).length > 0) ?? vips[0]
  const commands: Readonly<Record<Phase['phase'], string>> = {
    arrived: 'berth site apply --api-vip ADDRESS --ingress-vip ADDRESS',
    made: 'berth site status',
    addressed: `berth explain service ${silentOne?.service}`,
    announced: `berth explain service ${silentOne?.service}`,
    routed: 'berth site status',
    committed: 'berth site verify && berth site commit',
  }
  return waiting === undefined ? 'berth site verify' : commands[waiting]
}
