// What in the configuration keeps one Service from being announced as it was meant to be?
import type { BgpAdvertisement, L2Advertisement } from '../../model/announcing.ts'
import { annotationField, communityAnnotations } from '../../model/bgpAnnotations.ts'
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import { type Bgp, bgpFor } from './advertiseBgp.ts'
import { type Layer2, sharingProblems } from './advertiseLayer2.ts'
import type { Ground } from './ground.ts'
import { layer2For } from './layer2Candidates.ts'
import { conflictProblems } from './localPref.ts'
import { grantedTo } from './serviceCommunities.ts'
import type { Subject } from './subject.ts'

export function serviceProblems(
  { layer2, bgp }: { readonly layer2: Layer2; readonly bgp: Bgp },
  subject: Subject,
): Problem[] {
  const { serving, conflicts } = bgpFor(bgp, subject)
  const advertisements = [...layer2For(layer2.ground, subject), ...serving]
  return [
    ...sharingProblems(layer2, subject),
    ...conflicts.flatMap((conflict) => conflictProblems(subject.service, conflict)),
    ...exclusionProblems(layer2.ground, subject, advertisements),
    ...communityProblems(bgp, subject),
  ]
}

/** R8.16 */
function communityProblems({ aliases }: Bgp, { service, pool }: Subject): Problem[] {
  const field = annotationField(communityAnnotations.asked)
  return grantedTo(service, pool, aliases).refused.map(({ code, message }) => {
    return { code, severity: 'error', object: objectOf(service), field, message }
  })
}

/** A Local Service whose endpoints are all where no advertisement for it applies. */
function exclusionProblems(
  { world, nodesOf }: Ground,
  { service, endpointNodes }: Subject,
  advertisements: readonly (L2Advertisement | BgpAdvertisement)[],
): Problem[] {
  const known = [...endpointNodes].filter((node) => world.all('Node').has(node))
  const isReached = known.some((node) => advertisements.some((by) => nodesOf(by).has(node)))
  if (!service.isLocal || known.length === 0 || advertisements.length === 0 || isReached) return []
  const nodes = known.sort().join(', ')
  const message = `its endpoints are on ${nodes}, which no advertisement for it selects`
  const object = objectOf(service)
  return [{ code: 'local-endpoints-excluded', severity: 'error', object, message }]
}
