// Which interfaces of a host may announce, and which address families there? (M5.4)
import { type Family, familyOf } from '../../net/ip.ts'
import type { Link } from '../../net/link.ts'
import type { Mac } from '../../net/mac.ts'
import { noMac } from '../../wire/arp.ts'
import type { Announcement } from './announcement.ts'

export type Port = {
  readonly index: number
  readonly name: string
  readonly mac: Mac
  /** IPv4 for ARP, IPv6 for neighbour discovery. */
  readonly families: readonly Family[]
}

/** An interface without carrier is left out; when it returns it is a new port and announces all. */
export function portsAmong(links: readonly Link[], excluded: RegExp): readonly Port[] {
  return links.flatMap((link) => {
    const { index, name, mac, canBroadcast, linkLocal } = link
    const isEligible = link.isUp && link.hasCarrier && !link.hasMaster && !link.isNoArp
    if (!isEligible || mac === noMac || name.search(excluded) >= 0) return []
    const families: Family[] = []
    if (canBroadcast) families.push('IPv4')
    if (linkLocal !== undefined) families.push('IPv6')
    return families.length === 0 ? [] : [{ index, name, mac, families }]
  })
}

export const announcesOn = (announcement: Announcement, port: Port): boolean =>
  port.families.includes(familyOf(announcement.address)) &&
  (announcement.interfaces === 'all' || announcement.interfaces.includes(port.name))

export const isSamePorts = (some: readonly Port[], others: readonly Port[]): boolean =>
  some.length === others.length && some.every((port, at) => isSame(port, others[at]))

const isSame = (a: Port, b: Port | undefined): boolean =>
  a.index === b?.index &&
  a.name === b.name &&
  a.mac === b.mac &&
  a.families.join() === b.families.join()
