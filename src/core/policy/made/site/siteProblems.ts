// What is wrong with the Site as it stands (R6.3, R6.6, R6.9)?
import type { Problem } from '../../../model/problem.ts'
import { refOf, refText } from '../../../model/ref.ts'
import { type External, externalOf, type Site, siteName } from '../../../model/site.ts'
import { siteMaker } from '../../../model/sitePools.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains } from '../../../net/intervals.ts'
import { prefixText, rangeOf } from '../../../net/range.ts'
import { hostSubnets } from '../../check/hostSubnets.ts'
import { standingOf } from '../standing.ts'
import { allTellRoutes, routesMissing, someOf } from './routesMissing.ts'
import { siteObjects } from './siteObjects.ts'
import { routeStandings } from './siteRoutes.ts'
import { wantedRoutes } from './wantedRoutes.ts'

export function siteProblems(world: ReadonlyWorld): Problem[] {
  const site = world.all('Site').get(siteName)
  if (site === undefined) return []
  const external = externalOf(site)
  return [
    ...namesTaken(world, site),
    ...(external === undefined ? [] : subnetUnknown(world, external)),
    ...routesNotMade(world, site),
    ...internalNotStatic(world, site),
  ]
}

type Code = Problem['code']

const problem = (code: Code, message: string, field?: string): Problem => ({
  code,
  severity: code === 'site-subnet-unknown' ? 'warning' : 'error',
  object: siteMaker,
  ...(field === undefined ? {} : { field }),
  message,
})

/** Objects of a wanted name that we did not make stand in the way. */
const namesTaken = (world: ReadonlyWorld, site: Site): Problem[] =>
  siteObjects(world, site)
    .map((object) => standingOf(world, siteMaker, refOf(object)))
    .filter(({ state }) => state === 'NameTaken')
    .map(({ of }) => problem('name-taken', `${refText(of)} was not made from the Site`))

function subnetUnknown(world: ReadonlyWorld, external: External): Problem[] {
  const { announce, secondary } = external
  const isStated = [external, secondary].every(
    (pair) => pair === undefined || pair.prefixLength !== undefined,
  )
  if (announce === 'BGP' || isStated || hostSubnets(world).length > 0) return []
  const message = 'no host reports its interfaces, so the subnet of the VIPs is not known'
  return [problem('site-subnet-unknown', message, 'spec.external.prefixLength')]
}

/** If nmstate cannot apply a policy, the status says so; a problem is what nothing applies. */
function routesNotMade(world: ReadonlyWorld, site: Site): Problem[] {
  const field = 'spec.external.routes'
  const standings = routeStandings(world, site)
  // What nmstate is at work on is on its way.
  if (standings.some(({ state }) => state === 'Waiting')) return []
  const external = externalOf(site)
  const wanted = external === undefined ? [] : wantedRoutes(world, external)
  // While some nodes say nothing, what is to be done by hand is told for all of them.
  const isKnown = standings.every(({ state }) => state === 'Made') || allTellRoutes(world)
  const missing = isKnown ? routesMissing(world, wanted) : []
  if (missing.length > 0) {
    return missing.map(({ route: { destination, nextHop }, nodes }) => {
      const message = `no route to ${destination} via ${nextHop} on ${someOf(nodes)}`
      return problem('route-missing', message, field)
    })
  }
  return standings
    .filter(({ state }) => state !== 'Made')
    .map(({ message }) => problem('site-routes-not-made', message, field))
}

/** The nodes know each other by these addresses: a lease that runs out takes the cluster along. */
function internalNotStatic(world: ReadonlyWorld, { internalNetwork }: Site): Problem[] {
  if (internalNetwork === undefined) return []
  const inside = rangeOf(internalNetwork)
  return [...world.all('NodeInterfaces').values()]
    .filter(({ name }) => world.all('Node').has(name))
    .flatMap(({ name: node, interfaces }) =>
      interfaces.flatMap(({ name, addresses }) =>
        addresses
          .filter((one) => one.isTemporary === true && contains(inside, one.address))
          .map(({ address }) => `${address} on ${name} of ${node} has a lifetime`),
      ),
    )
    .sort()
    .map((text) => {
      const where = `inside the internal network ${prefixText(internalNetwork)}`
      return problem('internal-not-static', `${text}, ${where}`, 'spec.internalNetwork')
    })
}
