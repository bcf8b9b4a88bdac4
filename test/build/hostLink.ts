// An interface for tests: one that may announce, but for what a test says.
import { macFrom } from '../../src/core/net/octets.ts'
import type { HostLink } from '../../src/edge/host/packet/hostLink.ts'

export const hostLink = (index: number, name: string, given: Partial<HostLink> = {}): HostLink => ({
  index,
  name,
  mac: macFrom(Uint8Array.of(2, 0, 0, 0, 0, index)),
  isUp: true,
  hasCarrier: true,
  hasMaster: false,
  isNoArp: false,
  canBroadcast: true,
  linkLocal: undefined,
  addresses: [],
  ...given,
})
