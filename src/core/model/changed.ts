// What does the World report when it changes? The object, or what is held of it; each decider
// chooses from that what to look at again.
import type { Ip } from '../net/ip.ts'
import type { Kind, View } from './view.ts'

export type Changed =
  /** Reported even if the two views are equal: the object may differ in what no view shows. */
  | {
      readonly type: 'object'
      readonly kind: Kind
      readonly key: string
      readonly before: View | undefined
      readonly after: View | undefined
    }
  /** Who holds the address, how full the pool is, how much of its quota the tenant uses. */
  | { readonly type: 'use'; readonly kind: 'Address'; readonly key: Ip }
  | {
      readonly type: 'use'
      readonly kind: 'IPAddressPool' | 'Tenant' | 'AddressBlock'
      readonly key: string
    }
  /** Whether the API serves the kind; the key is empty. */
  | { readonly type: 'served'; readonly kind: Kind; readonly key: string }
  /** The API refuses something that is made from the object, or does no longer. */
  | { readonly type: 'refusal'; readonly kind: string; readonly key: string }
