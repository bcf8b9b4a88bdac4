// What is made from the Site, and what does its status say (R6.1, R6.4, R6.10)?
import type { Changed } from '../model/changed.ts'
import type { JsonObject } from '../model/gate.ts'
import { refOf } from '../model/ref.ts'
import { externalOf, isRolledBack, type Site, siteName } from '../model/site.ts'
import { siteMaker } from '../model/sitePools.ts'
import { type Vip, vipOf, vipsFor } from '../model/siteVips.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Condition, Ref, StatusWrite, Write } from '../model/write.ts'
import { familyOf } from '../net/ip.ts'
import type { Decider, EventWrite } from './decider.ts'
import { hostKinds, makerOf, siteKinds } from './made/madeKinds.ts'
import { siteNames } from './made/site/siteNames.ts'
import { siteObjects } from './made/site/siteObjects.ts'
import { hasRoutes, routeStandings, routeWrites } from './made/site/siteRoutes.ts'
import { canBeWritten, type Standing, standingOf } from './made/standing.ts'
import { listedObjects, readyCondition } from './made/standingStatus.ts'
import { unwantedObjects } from './made/tenantObjects.ts'

export const sites: Decider = {
  name: 'sites',
  kind: 'Site',
  reads: ['Site', 'Namespace', ...siteKinds, ...hostKinds],
  wakes: (changed, world) => (isConcerned(changed, world) ? [siteName] : []),
  decide(world, name, now) {
    const site = world.all('Site').get(name)
    if (site?.isGoing === true) return { writes: [] }
    if (site === undefined) {
      // One that cannot be used, or that is lost, takes nothing away (P2).
      const isGone = !world.inert.has('Site', name) && world.lost.wasTenantSeen(siteMaker)
      return { writes: isGone ? removals(world, []) : [] }
    }
    const leftS = secondsLeft(site, now)
    if (leftS === undefined) return { writes: writesFor(world, site) }
    if (leftS > 0) return { writes: writesFor(world, site), againInS: leftS }
    return { writes: [rollback(site)], events: [rolledBack(site)] }
  },
}

function isConcerned(changed: Changed, world: ReadonlyWorld): boolean {
  if (changed.kind === 'Site' || changed.type === 'served') return true
  const site = world.all('Site').get(siteName)
  if (changed.type !== 'object') return false
  const views = [changed.before, changed.after].filter((view) => view !== undefined)
  if (views.some((view) => makerOf(view) === siteMaker)) return true
  if (site === undefined) return false
  // Only where one would be made, or has to be made.
  if (changed.kind === 'Service') return vipOf(site, changed.key) !== undefined
  if (changed.kind === 'Namespace') {
    return [site.api, site.ingress].some(({ namespace }) => namespace === changed.key)
  }
  return siteKinds.some((kind) => kind === changed.kind) || hasRoutes(world, site)
}

/** Until the move is taken back; undefined if there is none to take back. */
function secondsLeft(site: Site, now: string | undefined): number | undefined {
  if (site.move === undefined || isRolledBack(site) || now === undefined) return undefined
  return Math.ceil((Date.parse(site.move.commitBy) - Date.parse(now)) / 1_000)
}

/** Only noted here: what follows from it is decided when the note is seen. */
const rollback = ({ name, move }: Site): Write => ({
  type: 'status',
  of: { kind: 'Site', name },
  fields: { move: moveStatus('RolledBack', move?.commitBy ?? '') },
})

const moveStatus = (state: 'Pending' | 'RolledBack', commitBy: string): JsonObject => ({
  state,
  commitBy,
  rolledBack: state === 'RolledBack' ? commitBy : '',
})

const rolledBack = ({ move }: Site): EventWrite => ({
  type: 'Warning',
  reason: 'moveRolledBack',
  message: `the move was not committed by ${move?.commitBy}: the addresses from before are back`,
})

function writesFor(world: ReadonlyWorld, site: Site): Write[] {
  const objects = siteObjects(world, site)
  const refs = objects.map(refOf)
  const standings = standingsOf(world, refs)
  const isWritable = standings.map((standing) => canBeWritten(world, standing))
  const made = objects
    .filter((_, index) => isWritable[index])
    .map((object) => madeOrRemade(world, object))
  const isUnderWay = standings.some(({ state }, index) => state === 'Waiting' && isWritable[index])
  return [
    ...removals(world, refs),
    ...made,
    ...routeWrites(world, site),
    ...(isUnderWay ? [] : [statusOf(site, siteStandings(world, site))]),
  ]
}

const standingsOf = (world: ReadonlyWorld, refs: readonly Ref[]) =>
  refs.map((of) => standingOf(world, siteMaker, of))

/** Everything that should be made from the Site, in the order in which it is made. */
export const siteStandings = (world: ReadonlyWorld, site: Site): readonly Standing[] => [
  ...standingsOf(world, siteObjects(world, site).map(refOf)).map((one) =>
    withAddress(world, site, one),
  ),
  ...routeStandings(world, site),
]

/** The first family of a Service cannot be changed: it is deleted, and made again. */
function madeOrRemade(world: ReadonlyWorld, object: JsonObject): Write {
  const of = refOf(object)
  const site = world.all('Site').get(siteName)
  const key = `${of.namespace}/${of.name}`
  const vip = of.kind === 'Service' && site !== undefined ? vipOf(site, key) : undefined
  const external = site === undefined ? undefined : externalOf(site)
  const [first] = vip === undefined || external === undefined ? [] : vipsFor(external, vip)
  const shown = world.services.get(key)
  const isOther =
    first !== undefined && shown !== undefined && shown.primaryFamily !== familyOf(first)
  return isOther ? removal(of) : { type: 'apply', object }
}

/** A Service that is there and has no address is no way in. */
function withAddress(world: ReadonlyWorld, site: Site, standing: Standing): Standing {
  const { of, state } = standing
  const external = externalOf(site)
  if (of.kind !== 'Service' || state !== 'Made' || external === undefined) return standing
  const service = world.services.get(`${of.namespace}/${of.name}`)
  const vip = vipOf(site, `${of.namespace}/${of.name}`)
  const wanted = vip === undefined ? [] : vipsFor(external, vip)
  if (service === undefined || wanted.every((ip) => service.ingress.includes(ip))) return standing
  const why = service.addressed?.status === 'False' ? service.addressed.message : 'about to get it'
  return { of, state: 'Waiting', message: `${wanted.join(' and ')}: ${why}` }
}

const removal = (of: Ref): Write => {
  const [kind = '', name = ''] = siteMaker.split('/')
  return { type: 'delete', of, madeFrom: { kind, name } }
}

const removals = (world: ReadonlyWorld, wanted: readonly Ref[]): Write[] =>
  unwantedObjects(world, { maker: siteMaker, kinds: siteKinds }, wanted).map(removal)

function statusOf(site: Site, standings: readonly Standing[]): StatusWrite {
  const external = externalOf(site)
  const { move } = site
  const state = isRolledBack(site) ? 'RolledBack' : 'Pending'
  const vips: readonly Vip[] = ['api', 'ingress']
  return {
    type: 'status',
    of: { kind: 'Site', name: site.name },
    conditions: { Ready: external === undefined ? notArrived : readyCondition(standings) },
    fields: {
      external: external === undefined ? {} : shownAddresses(external, vips),
      names: siteNames(external),
      ...listedObjects(standings),
      move: move === undefined ? { state: 'Settled' } : moveStatus(state, move.commitBy),
    },
  }
}

const notArrived: Condition = {
  status: 'True',
  reason: 'NotArrived',
  message: 'no external addresses yet: berth site apply gives it some',
}

const shownAddresses = (
  external: Parameters<typeof vipsFor>[0],
  vips: readonly Vip[],
): JsonObject => Object.fromEntries(vips.map((vip) => [`${vip}VIPs`, vipsFor(external, vip)]))
