// Which routes does a Site want on every node (R6.6), and what has become of them? One policy of
// nmstate for all of them, one node at a time; a route that goes is first told to be absent.
import { apiGroups, apiVersionOf } from '../../../model/apiGroups.ts'
import type { JsonObject } from '../../../model/gate.ts'
import { textAt } from '../../../model/json.ts'
import type { NodePolicy } from '../../../model/nodePolicy.ts'
import { type External, externalOf, type Site } from '../../../model/site.ts'
import { siteMaker } from '../../../model/sitePools.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import type { Ref, Write } from '../../../model/write.ts'
import { madeFromSite } from '../madeObject.ts'
import type { Standing } from '../standing.ts'
import { allTellRoutes, missingText, routesMissing } from './routesMissing.ts'
import { commandFor, type WantedRoute, wantedRoutes } from './wantedRoutes.ts'

const kind = 'NodeNetworkConfigurationPolicy'
/** Policies of nodes are called `berth-<node>`: no node can take this name. */
const name = 'berth.site'
const of: Ref = { kind, name }

const written = ({ destination, nextHop, interface: link }: WantedRoute): JsonObject => ({
  destination,
  'next-hop-address': nextHop,
  'next-hop-interface': link,
})

const keyOf = (route: JsonObject): string =>
  ['destination', 'next-hop-address', 'next-hop-interface']
    .map((field) => textAt(route, field))
    .join(' ')

/** The one that we made, if it is there. */
export const sitePolicyOf = (world: ReadonlyWorld): NodePolicy | undefined => {
  const policy = world.all(kind).get(name)
  return policy?.maker === siteMaker ? policy : undefined
}

const isAbsent = (route: JsonObject): boolean => textAt(route, 'state') === 'absent'

/**
 * nmstate says `Available` of the policy as a whole, and for a moment after an edit still of the
 * one before. Its records for the nodes have the generation that they are about.
 */
function isDone(world: ReadonlyWorld, { ofSite, progress }: NodePolicy): boolean {
  if (progress?.state !== 'Available') return false
  return [...world.all('NodeNetworkConfigurationEnactment').values()]
    .filter((record) => record.name.endsWith(`.${name}`))
    .every(
      (record) =>
        record.policyGeneration === ofSite?.generation && record.progress?.state === 'Available',
    )
}

/** nmstate keeps a route that a policy no longer lists. */
function leaving(
  world: ReadonlyWorld,
  policy: NodePolicy | undefined,
  wanted: readonly JsonObject[],
): readonly JsonObject[] {
  if (policy === undefined) return []
  const kept = new Set(wanted.map(keyOf))
  const isOver = isDone(world, policy)
  return (policy.ofSite?.routes ?? [])
    .filter((route) => !kept.has(keyOf(route)) && !(isAbsent(route) && isOver))
    .map((route) => ({ ...route, state: 'absent' }))
}

/** Whether a route of ours is on a node, or on its way there or from there. */
export const hasRoutes = (world: ReadonlyWorld, site: Site): boolean =>
  (externalOf(site)?.routes.length ?? 0) > 0 || sitePolicyOf(world) !== undefined

export function routeWrites(world: ReadonlyWorld, site: Site): readonly Write[] {
  if (!world.obstacles.isServed(kind)) return []
  const policy = sitePolicyOf(world)
  if (policy === undefined && world.all(kind).has(name)) return []
  const external = externalOf(site)
  const wanted = (external === undefined ? [] : wantedRoutes(world, external))
    .filter((route) => route.interface !== '')
    .map(written)
  const config = [...wanted, ...leaving(world, policy, wanted)]
  if (config.length === 0) {
    const [siteKind = '', siteName = ''] = siteMaker.split('/')
    const madeFrom = { kind: siteKind, name: siteName }
    return policy === undefined ? [] : [{ type: 'delete', of, madeFrom }]
  }
  const body = {
    apiVersion: apiVersionOf(apiGroups.nmstate),
    kind,
    spec: { maxUnavailable: 1, desiredState: { routes: { config } } },
  }
  return [{ type: 'apply', object: madeFromSite(site, { name }, body) }]
}

export function routeStandings(world: ReadonlyWorld, site: Site): readonly Standing[] {
  const external = externalOf(site)
  const wanted = external === undefined ? [] : wantedRoutes(world, external)
  if (wanted.length === 0) return []
  if (!world.obstacles.isServed(kind)) return [byHand(world, wanted)]
  const policy = sitePolicyOf(world)
  if (policy === undefined && world.all(kind).has(name)) {
    return [{ of, state: 'NameTaken', message: `it was not made from ${siteMaker}` }]
  }
  const refusal = world.obstacles.refusalOf(of, siteMaker)
  if (refusal !== undefined) return [{ of, state: 'Refused', message: refusal }]
  const lost = wanted.find((route) => route.interface === '')
  if (lost !== undefined) {
    const message = `${lost.nextHop} is in the subnet of no interface that all nodes call alike`
    return [{ of, state: 'Refused', message: `${message}: set spec.external.interface` }]
  }
  if (policy?.progress?.state === 'Failed') {
    return [{ of, state: 'Refused', message: `nmstate: ${policy.progress.message}` }]
  }
  const isMade = policy !== undefined && isDone(world, policy)
  return [
    isMade ? { of, state: 'Made', message: '' } : { of, state: 'Waiting', message: 'for nmstate' },
  ]
}

/** Made by somebody: the nodes say whether it is done (R6.14). */
function byHand(world: ReadonlyWorld, wanted: readonly WantedRoute[]): Standing {
  const missing = allTellRoutes(world) ? routesMissing(world, wanted) : undefined
  if (missing?.length === 0) return { of, state: 'Made', message: '' }
  const where =
    missing === undefined ? 'on every node' : `on ${missing.map(missingText).join('; ')}`
  const commands = missing === undefined ? `: ${wanted.map(commandFor).join('; ')}` : ''
  const message = `the API does not serve ${kind}: install nmstate, or run ${where}${commands}`
  return { of, state: 'NotServed', message }
}

/** For every node, where nothing makes the routes. */
export const routeCommands = (world: ReadonlyWorld, external: External): readonly string[] =>
  wantedRoutes(world, external).map(commandFor)
