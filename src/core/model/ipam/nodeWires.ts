// On which wire is a network of a NetConfig (R12.4)? Namespaces allocate on their own unless two of
// them are known to be on one wire.
import type { NetConfig } from '../wires.ts'

/** `namespace/NAME`, or `wire/NAME` where the NetConfig names one. */
export const wireOf = ({ namespace, wire }: NetConfig): string =>
  wire === '' ? ownWire(namespace) : `wire/${wire}`

export const ownWire = (namespace: string): string => `namespace/${namespace}`
