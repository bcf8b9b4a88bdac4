// What do we say about an IPv6 address of ours? Answers, announcements and the question before the
// first of them (duplicate address detection, RFC 4862 §5.4.2).
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { allNodes, groupMac, type Ndp, solicitedNode, unspecified } from './ndp.ts'

/**
 * To whoever asked; who has no address yet is told through all nodes (RFC 4861 §7.2.4). The
 * override flag is set: an entry that still names the owner before us must go.
 */
export function ndpAnswer(asked: Ndp, mac: Mac): Ndp {
  const hasAddress = asked.source !== unspecified
  return {
    kind: 'advertisement',
    destinationMac: hasAddress ? (asked.linkLayer ?? asked.sourceMac) : groupMac(allNodes),
    sourceMac: mac,
    destination: hasAddress ? asked.source : allNodes,
    source: asked.target,
    target: asked.target,
    linkLayer: mac,
    isSolicited: hasAddress,
    isOverride: true,
  }
}

export const ndpAnnouncement = (ip: Ip, mac: Mac): Ndp => ({
  kind: 'advertisement',
  destinationMac: groupMac(allNodes),
  sourceMac: mac,
  destination: allNodes,
  source: ip,
  target: ip,
  linkLayer: mac,
  isSolicited: false,
  isOverride: true,
})

export function ndpProbe(ip: Ip, mac: Mac): Ndp {
  const group = solicitedNode(ip)
  return {
    kind: 'solicitation',
    destinationMac: groupMac(group),
    sourceMac: mac,
    destination: group,
    source: unspecified,
    target: ip,
    linkLayer: undefined,
  }
}
