// How does the stand-in of MetalLB's speaker announce by BGP? As its native mode: one session with
// each peer, which ends with the process.
import { connect, type Socket } from 'node:net'
import type { Ip } from '../../src/core/net/ip.ts'
import { announcement, bgpLine, withdrawal } from './bgpLine.ts'

export type Peer = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly myASN: number
    readonly peerAddress: string
  }
}
type Session = { readonly socket: Socket; isUp: boolean; readonly told: Set<Ip> }

export class StandInBgp {
  readonly #own: Ip
  readonly #sessions = new Map<string, Session>()

  constructor(own: Ip) {
    this.#own = own
  }

  /** What every peer should have of us. */
  announce(peers: readonly Peer[], wanted: ReadonlySet<Ip>): void {
    for (const peer of peers) {
      const session = this.#sessions.get(peer.metadata.name) ?? this.#open(peer)
      if (!session.isUp) continue
      const route = { asn: peer.spec.myASN, nextHop: this.#own }
      for (const ip of session.told) {
        if (wanted.has(ip)) continue
        session.socket.write(withdrawal(ip))
        session.told.delete(ip)
      }
      for (const ip of wanted) {
        if (session.told.has(ip)) continue
        session.socket.write(announcement(ip, route))
        session.told.add(ip)
      }
    }
  }

  #open({ metadata: { name }, spec: { myASN: asn, peerAddress: host } }: Peer): Session {
    const socket = connect({ host, port: 179, localAddress: this.#own })
    const session: Session = { socket, isUp: false, told: new Set() }
    this.#sessions.set(name, session)
    bgpLine(socket, {
      ...{ asn, routerId: this.#own, updated: () => undefined },
      isUp() {
        session.isUp = true
      },
      ended: () => void this.#sessions.delete(name),
    })
    return session
  }
}
