// What do we say about an IPv4 address of ours? Answers, announcements and the question before the
// first of them (RFC 5227).
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { type Arp, broadcastMac, noIp, noMac } from './arp.ts'

/** To whoever asked. */
export const arpAnswer = (asked: Arp, mac: Mac): Arp => ({
  destination: asked.senderMac,
  source: mac,
  operation: 'reply',
  senderMac: mac,
  senderIp: asked.targetIp,
  targetMac: asked.senderMac,
  targetIp: asked.senderIp,
})

/** Gratuitous, to everybody, in both forms: some listen only to the one or the other (M5.5). */
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

/** Asks whether anybody has the address, without claiming it: RFC 5227 §2.1.1. */
export const arpProbe = (ip: Ip, mac: Mac): Arp => ({
  destination: broadcastMac,
  source: mac,
  operation: 'request',
  senderMac: mac,
  senderIp: noIp,
  targetMac: noMac,
  targetIp: ip,
})

export const isProbe = ({ operation, senderIp }: Arp): boolean =>
  operation === 'request' && senderIp === noIp
