// A responder in virtual time, and what others on its wire ask and say.

import type { Ip } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import type { Announcement, Effect } from '../../src/core/session/layer2/announcement.ts'
import type { Port } from '../../src/core/session/layer2/port.ts'
import { Responder, type ResponderOptions } from '../../src/core/session/layer2/responder.ts'
import { encodeArp, noMac } from '../../src/core/wire/arp.ts'
import { arpAnnouncements } from '../../src/core/wire/arpAnswers.ts'
import { encodeNdp, solicitedNode } from '../../src/core/wire/ndp.ts'

export const [ours, other, peer, client] = [1, 2, 3, 9].map(
  (n) => `02:00:00:00:00:0${n}` as Mac,
) as [Mac, Mac, Mac, Mac]
export const [four, six] = ['192.0.2.1' as Ip, 'fd00::1' as Ip]
export const eth0: Port = { index: 2, name: 'eth0', mac: ours, families: ['IPv4', 'IPv6'] }
export const eth1: Port = {
  index: 3,
  name: 'eth1',
  mac: '02:00:00:00:01:01' as Mac,
  families: ['IPv4'],
}

export const announcement = (address: Ip, more: Partial<Announcement> = {}): Announcement => ({
  address,
  interfaces: 'all',
  start: 'burst',
  ...more,
})
export const broadcast = 'ff:ff:ff:ff:ff:ff' as Mac
export const question = (target: Ip): Uint8Array =>
  encodeArp({
    destination: broadcast,
    source: client,
    operation: 'request',
    senderMac: client,
    senderIp: '192.0.2.9' as Ip,
    targetMac: noMac,
    targetIp: target,
  })
export const solicitation = (target: Ip, source = 'fd00::9' as Ip): Uint8Array =>
  encodeNdp({
    kind: 'solicitation',
    destinationMac: '33:33:ff:00:00:01' as Mac,
    sourceMac: client,
    destination: solicitedNode(target),
    source,
    target,
    linkLayer: undefined,
  })
/** What a machine says that has the address. */
export const saying = (mac: Mac, address = four): Uint8Array => {
  const [, reply] = arpAnnouncements(address, mac)
  if (reply === undefined) throw new Error('no reply')
  return encodeArp(reply)
}

/** Time goes on as far as it is told to. */
export class Stand {
  now = 0
  mayAnswer = true
  readonly sent: { readonly at: number; readonly port: number; readonly frame: Uint8Array }[] = []
  readonly told: Effect[] = []
  readonly responder: Responder

  constructor(options: Omit<ResponderOptions, 'mayAnswer'> = {}) {
    this.responder = new Responder({ ...options, mayAnswer: () => this.mayAnswer })
    this.ports(eth0)
  }

  ports(...ports: readonly Port[]): void {
    const macs = [...ports.map(({ mac }) => mac), '02:00:00:00:00:77' as Mac]
    this.responder.ports(this.now, ports, macs)
    this.#collect()
  }

  announce(...announcements: readonly Announcement[]): void {
    this.responder.announce(this.now, announcements)
    this.#collect()
  }

  hears(frame: Uint8Array, port = eth0.index): Uint8Array | undefined {
    const isArp = frame[12] === 8
    const answer = isArp
      ? this.responder.heardArp(this.now, port, frame)
      : this.responder.heardNdp(this.now, port, frame)
    this.#collect()
    return answer
  }

  runTo(end: number): void {
    for (;;) {
      const { nextAt } = this.responder
      if (nextAt === undefined || nextAt > end) break
      this.now = Math.max(this.now, nextAt)
      this.responder.tick(this.now)
      this.#collect()
      if (!this.mayAnswer) break
    }
    this.now = end
  }

  get times(): readonly number[] {
    return this.sent.map(({ at }) => at)
  }

  kinds(): readonly string[] {
    return this.told.map(({ kind }) => kind)
  }

  #collect(): void {
    for (const effect of this.responder.takeEffects()) {
      if (effect.kind === 'send') this.sent.push({ at: this.now, ...effect })
      else this.told.push(effect)
    }
  }
}
