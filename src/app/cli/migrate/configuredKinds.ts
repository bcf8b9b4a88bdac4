// What do people configure MetalLB with? It stays when MetalLB goes.
import type { KindName } from '../../../edge/kube/kinds.ts'

export const configuredKinds = [
  'IPAddressPool',
  'L2Advertisement',
  'BGPAdvertisement',
  'BGPPeer',
  'BFDProfile',
  'Community',
] as const satisfies readonly KindName[]
