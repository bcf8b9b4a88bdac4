// Which deciders are there? In this order: what comes later follows from what comes before. A pool
// is noted as released before Services are decided: whoever loses an address comes first (R3.16).

import { Bug } from '../model/bug.ts'
import { meetings } from './announce/decideMeeting.ts'
import { addresses } from './decideAddress.ts'
import { hostNetworkPolicies } from './decideHostNetworks.ts'
import { releasedPools } from './decideReleasedPool.ts'
import type {
  BlockDecider,
  Decider,
  HolderDecider,
  HostDecider,
  KeptDecider,
  RecordDecider,
} from './decider.ts'
import { services } from './decideService.ts'
import { sites } from './decideSite.ts'
import { tenants } from './decideTenant.ts'
import { addressBlocks } from './ipam/decideBlock.ts'
import { ipSets } from './ipam/decideIpSet.ts'
import { dnsData } from './names/decideDnsData.ts'
import { dnsMasqs, usualImages } from './names/decideDnsMasq.ts'
import { serviceNames } from './names/decideServiceNames.ts'
import type { Images } from './names/serverDeployment.ts'
import { type PodsKnown, podRoutes } from './podRoutes/decidePodRoutes.ts'
import { poolStatuses } from './poolStatus.ts'

/** What the controller runs whatever extends it. */
export const coreDeciders: readonly Decider[] = [
  releasedPools,
  services,
  addresses,
  tenants,
  hostNetworkPolicies,
  sites,
  poolStatuses,
  ipSets,
  addressBlocks,
  ...meetings,
]

type OpenstackFacts = { readonly images: Images; readonly podsKnown: PodsKnown }

/** What it runs with the extension for OpenStack, which knows these facts. */
export const openstackDeciders = (facts: OpenstackFacts): readonly KeptDecider[] => [
  serviceNames,
  dnsData,
  dnsMasqs(facts.images),
  podRoutes(facts.podsKnown),
]

export const deciders: readonly Decider[] = [
  ...coreDeciders,
  ...openstackDeciders({ images: usualImages, podsKnown: () => 'known' }),
]

/** The two whose decisions the claim protocol of Services writes (R3.12). */
export type Claims = { readonly holders: HolderDecider; readonly records: RecordDecider }
/** The two whose decisions that of hosts writes (R12.5). */
export type HostClaims = { readonly hosts: HostDecider; readonly blocks: BlockDecider }

export const claimsAmong = (some: readonly Decider[]): Claims => ({
  holders: only(some.filter((one) => one.isClaimed === 'holders')),
  records: only(some.filter((one) => one.isClaimed === 'records')),
})

export const hostClaimsAmong = (some: readonly Decider[]): HostClaims => ({
  hosts: only(some.filter((one) => one.isClaimed === 'hosts')),
  blocks: only(some.filter((one) => one.isClaimed === 'blocks')),
})

/** Two would claim the same twice. */
function only<D extends Decider>(found: readonly D[]): D {
  const [one, ...others] = found
  if (one === undefined || others.length > 0) {
    throw new Bug(`for each part of a claim the list has one decider, not ${found.length}`)
  }
  return one
}
