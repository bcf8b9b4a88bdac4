// What does the kernel report about an interface of this host?
import type { Ip } from '../../../core/net/ip.ts'
import type { Link } from '../../../core/net/link.ts'

export type HostAddress = { readonly address: Ip; readonly prefixLength: number }

export type HostLink = Link & {
  /** Without link-local addresses; sorted as text. */
  readonly addresses: readonly HostAddress[]
}
