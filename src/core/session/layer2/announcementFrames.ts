// Which frames announce an address? The same as `arpAnnouncements` and `ndpAnnouncement` of
// core/wire, but copied from templates: a takeover sends thousands of them at once.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { encodeArp, noIp } from '../../wire/arp.ts'
import { arpAnnouncements } from '../../wire/arpAnswers.ts'
import { encodeNdp } from '../../wire/ndp.ts'
import { ndpAnnouncement } from '../../wire/ndpAnswers.ts'
import { arpAt } from './arpFrame.ts'
import { ndpAt, setNdpChecksum } from './ndpFrame.ts'

export class AnnouncementFrames {
  readonly #arp: readonly Uint8Array[]
  readonly #ndp: Uint8Array

  constructor(mac: Mac) {
    this.#arp = arpAnnouncements(noIp, mac).map(encodeArp)
    this.#ndp = encodeNdp(ndpAnnouncement('::' as Ip, mac))
  }

  of(octets: readonly number[]): readonly Uint8Array[] {
    return octets.length === 4
      ? this.#arp.map((frame) => arpOf(frame, octets))
      : [this.#six(octets)]
  }

  #six(octets: readonly number[]): Uint8Array {
    const frame = this.#ndp.slice()
    frame.set(octets, ndpAt.source)
    frame.set(octets, ndpAt.target)
    return setNdpChecksum(frame)
  }
}

function arpOf(ready: Uint8Array, octets: readonly number[]): Uint8Array {
  const frame = ready.slice()
  frame.set(octets, arpAt.senderIp)
  frame.set(octets, arpAt.targetIp)
  return frame
}
