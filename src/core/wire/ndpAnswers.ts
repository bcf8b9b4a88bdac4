// What do we send about an IPv6 address of ours? Answers, announcements, and probes before first
// use (duplicate address detection, RFC 4862 §5.4.2).
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { allNodes, groupMac, type Ndp, solicitedNode, unspecified } from './ndp.ts'

/**
 * To the host that asked, or through all-nodes if it has no address yet (RFC 4861 §7.2.4). The
 * override flag replaces cache entries that still name the previous owner.
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
