// What is an interface of this host, as the kernel tells it?
import type { Ip } from '../../../core/net/ip.ts'
import type { Link } from '../../../core/net/link.ts'

export type HostAddress = { readonly address: Ip; readonly prefixLength: number }

export type HostLink = Link & {
  /** Without those of the link itself; in order of the text. */
  readonly addresses: readonly HostAddress[]
}
