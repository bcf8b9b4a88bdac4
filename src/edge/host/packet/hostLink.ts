// What does the kernel report about an interface of this host?
import type { Ip } from '../../../core/net/ip.ts'
import type { Link } from '../../../core/net/link.ts'

export type HostAddress = {
  readonly address: Ip
  readonly prefixLength: number
  /** It has a lifetime: DHCP or a router advertisement gave it. */
  readonly isTemporary?: true
}

export type HostLink = Link & {
  /** As the kernel calls it, such as bridge, bond or vlan; absent for a plain one. */
  readonly type?: string
  /** Without link-local addresses; sorted as text. */
  readonly addresses: readonly HostAddress[]
}
