// What is one machine of the lab? A namespace with its interfaces, each plugged into a wire.

/** `edge`: between routers and clients, where there is BGP. */
export const wires = ['mgmt', 'lan', 'edge'] as const
export type Wire = (typeof wires)[number]
export const families = [4, 6] as const
/** One address of each family. */
export type Both = Readonly<Record<(typeof families)[number], string>>

export type Port = {
  readonly wire: Wire
  /** The interface, as the place sees it. */
  readonly name: string
  readonly mac: string
  /** The other end, on the bridge of the wire. */
  readonly plug: string
  readonly addresses: Both
}

export type Place = {
  readonly name: string
  readonly role: 'control' | 'node' | 'router' | 'client'
  readonly namespace: string
  readonly ports: readonly Port[]
  /** Of a node: where its backend answers. */
  readonly pod?: Both
}

export const portOn = ({ ports }: Place, wire: Wire): Port | undefined =>
  ports.find((port) => port.wire === wire)
