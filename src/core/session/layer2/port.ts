// Which interfaces of a host announce, and which addresses there? (M5.4)
import { type Family, familyOf } from '../../net/ip.ts'
import type { Link } from '../../net/link.ts'
import type { Mac } from '../../net/mac.ts'
import { noMac } from '../../wire/arp.ts'
import type { Announcement } from './announcement.ts'

export type Port = {
  readonly index: number
  readonly name: string
  readonly mac: Mac
  /** What can be answered: ARP, neighbour discovery. */
  readonly families: readonly Family[]
}

/** Without a carrier nobody asks; when it comes back, the port is new and everything announced. */
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
