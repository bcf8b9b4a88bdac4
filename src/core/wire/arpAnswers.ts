// What do we send about an IPv4 address of ours? Announcements, and the probe before the first of
// them (RFC 5227); session/layer2/arpFrame.ts writes the answers.
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { type Arp, broadcastMac, noIp, noMac } from './arp.ts'

/** Gratuitous broadcasts in both forms, because some hosts accept only one of them (M5.5). */
export function arpAnnouncements(ip: Ip, mac: Mac): readonly Arp[] {
  const said = {
    destination: broadcastMac,
    source: mac,
    senderMac: mac,
    senderIp: ip,
    targetMac: broadcastMac,
    targetIp: ip,
  }
  return [
    { ...said, operation: 'request' },
    { ...said, operation: 'reply' },
  ]
}

/** Asks whether any host has the address, without claiming it: RFC 5227 §2.1.1. */
export const arpProbe = (ip: Ip, mac: Mac): Arp => ({
  destination: broadcastMac,
  source: mac,
  operation: 'request',
  senderMac: mac,
  senderIp: noIp,
  targetMac: noMac,
  targetIp: ip,
})
