// What can be done where nobody announces a Service? One line for each reason.
import type { WithdrawReason } from './subject.ts'

export const withdrawRemedies: Readonly<Record<WithdrawReason, string>> = {
  serviceDeleted: 'create the Service',
  notLoadBalancer: 'give the Service the type LoadBalancer and the class of this controller',
  noIPAllocated: 'run berth explain on the Service to see why it has no address',
  invalidIP: 'remove the status that another program wrote',
  ipNotAllowed: 'add the address to a pool, or remove the status that another program wrote',
  notOwner: "correct the BGPAdvertisement's nodeSelectors, or label a node",
  noMatchingAdvertisement:
    'add an L2Advertisement or BGPAdvertisement that selects the pool, the Service and a node',
  sharedIPWithServiceSelector:
    "remove the L2Advertisement's serviceSelectors, or the Service's allow-shared-ip",
  announceFailed: "correct the L2Advertisement's interfaces, or add one of them to the node",
  conflictingAdvertisements:
    'give the advertisements the same localPref, or separate their peers or nodes',
  nodeNetworkUnavailable: "repair the node's network: its condition NetworkUnavailable is True",
  nodeLabeledExcludeBalancers: 'remove that label from a node that should announce',
  noLocalEndpoints:
    'run a ready pod on a node that may announce, or set externalTrafficPolicy: Cluster',
  noEndpoints:
    'start a ready pod that the Service selects; in manifests, berth.dev/endpoints names its nodes',
  speakerDown: 'start the speaker on a node that the advertisements select',
  linkDown: 'repair the link of the node, or let the advertisements select another one',
  noMajority: 'start the speakers that are missing, or remove berth.dev/split: safe from the pool',
  noPeer: "add a BGPPeer that selects the node, or correct the BGPAdvertisement's peers",
  unresolvedReference: 'create the missing object, or correct the name',
}
