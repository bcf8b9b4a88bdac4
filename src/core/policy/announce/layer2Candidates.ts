// Which nodes could announce a Service by layer 2, were it alone, and why not the others? (M5.3)
import type { L2Advertisement } from '../../model/announcing.ts'
import type { NodeView } from '../../model/node.ts'
import { type Ground, objectionTo } from './ground.ts'
import { deadLinks } from './links.ts'
import {
  coversPool,
  type Refusal,
  type Subject,
  servesService,
  type WithdrawReason,
} from './subject.ts'

export type Contender = {
  readonly subject: Subject
  /** Those that cover its pool and select it, whatever nodes they select. */
  readonly advertisements: readonly L2Advertisement[]
  readonly candidates: readonly string[]
  readonly refusals: readonly Refusal[]
}

export function contend(ground: Ground, subject: Subject): Contender {
  const advertisements = layer2For(ground, subject)
  const refusal = refusalOf(ground, subject, advertisements)
  if (refusal) return { subject, advertisements, candidates: [], refusals: [refusal] }
  const candidates: string[] = []
  const refusals: Refusal[] = []
  for (const node of ground.nodes) {
    const refusal = refusalOn(ground, subject, { node, advertisements })
    if (refusal) refusals.push(refusal)
    else candidates.push(node.name)
  }
  return { subject, advertisements, candidates, refusals }
}

export function layer2For({ world }: Ground, { pool, service }: Subject): L2Advertisement[] {
  return [...world.all('L2Advertisement').values()].filter(
    (advertisement) => coversPool(advertisement, pool) && servesService(advertisement, service),
  )
}

/** Why no node at all may announce it. */
function refusalOf(
  { hasMajority }: Ground,
  { service, pool, endpointNodes }: Subject,
  advertisements: readonly L2Advertisement[],
): Refusal | undefined {
  if (endpointNodes.size === 0) return refuseLayer2('noEndpoints', 'no endpoint is usable')
  if (advertisements.length === 0) {
    const message = `no L2Advertisement covers pool ${pool.name} for this Service`
    return refuseLayer2('noMatchingAdvertisement', message)
  }
  if (service.hasSharingAnnotation && advertisements.some(isChoosy)) {
    const message = 'it may share its address, and an L2Advertisement selects it by its labels'
    return refuseLayer2('sharedIPWithServiceSelector', message)
  }
  if (pool.split === 'safe' && !hasMajority) {
    return refuseLayer2('noMajority', 'no more than half of the expected speakers are seen')
  }
  return undefined
}

const isChoosy = ({ serviceSelectors }: L2Advertisement): boolean => serviceSelectors.length > 0

function refusalOn(
  ground: Ground,
  { service, endpointNodes }: Subject,
  at: { readonly node: NodeView; readonly advertisements: readonly L2Advertisement[] },
): Refusal | undefined {
  const { name } = at.node
  const advertisements = at.advertisements.filter((by) => ground.nodesOf(by).has(name))
  if (advertisements.length === 0) {
    return refuseLayer2('noMatchingAdvertisement', 'no L2Advertisement selects this node', name)
  }
  const objection = objectionTo(ground, at.node)
  if (objection) return refuseLayer2(objection.reason, objection.message, name)
  if (service.isLocal && !endpointNodes.has(name)) {
    const message = 'it has no usable endpoint, and the traffic policy is Local'
    return refuseLayer2('noLocalEndpoints', message, name)
  }
  const links = ground.links.get(name) ?? []
  const dead = deadLinks(links, { advertisements, addresses: service.ingress })
  if (dead) return refuseLayer2('linkDown', `its ${dead.join(', ')} cannot be reached`, name)
  return undefined
}

export function refuseLayer2(reason: WithdrawReason, message: string, node?: string): Refusal {
  const common = { protocol: 'layer2', reason, message } as const
  return node === undefined ? common : { ...common, node }
}
