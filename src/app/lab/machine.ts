// What is one machine of the lab? A namespace with its interfaces, each plugged into a wire.

/** `edge`: between routers and clients, where there is BGP. */
export type Wire = 'mgmt' | 'lan' | 'edge'
export const families = [4, 6] as const
/** One address of each family. */
export type Both = Readonly<Record<(typeof families)[number], string>>

export type Port = {
  readonly wire: Wire
  /** The interface, as named inside the machine. */
  readonly name: string
  readonly mac: string
  /** The other end, on the bridge of the wire. */
  readonly plug: string
  readonly addresses: Both
}

export type Machine = {
  readonly name: string
  readonly role: 'control' | 'node' | 'router' | 'client'
  readonly namespace: string
  readonly ports: readonly Port[]
  /** Nodes only: the address of its backend. */
  readonly pod?: Both
}

export const portOn = ({ ports }: Machine, wire: Wire): Port | undefined =>
  ports.find((port) => port.wire === wire)
