// Which annotations say more of BGP than MetalLB's fields can? On objects that stay valid there.

export const advertisementAnnotations = {
  med: 'berth.dev/med',
  prepend: 'berth.dev/as-path-prepend',
  linkBandwidth: 'berth.dev/link-bandwidth',
} as const

/** On a Service: what its routes carry too; on a pool or Tenant: what Services may ask for. */
export const communityAnnotations = {
  asked: 'berth.dev/communities',
  allowed: 'berth.dev/allowed-communities',
} as const

/** On a BGPPeer: where each node finds what differs from node to node. */
export const peerAnnotations = {
  peerAddress: taken('peer-address'),
  peerASN: taken('peer-asn'),
  myASN: taken('my-asn'),
  sourceAddress: taken('source-address'),
} as const

/** On a BGPPeer: more of its sessions than fields say. */
export const sessionAnnotations = {
  passive: 'berth.dev/passive',
  gtsm: 'berth.dev/gtsm',
  stale: 'berth.dev/long-lived-stale-seconds',
} as const

function taken(what: string): string {
  return `berth.dev/${what}-from`
}

export const annotationField = (name: string): string => `metadata.annotations[${name}]`
