// Which addresses does an object hold that no Service may be given? Those of nodes, gateways and
// node-range reservations, as far as the API knows them (section 5).
import type { Ip } from '../net/ip.ts'
import type { View } from './view.ts'

/** A view that has it takes addresses out of the pools. */
export type Occupying = { readonly occupied: readonly Ip[] }

/** Each once; whether a Service of ours holds one of them is for the reader to ask. */
export const elsewhereOf = (view: View): readonly Ip[] =>
  'occupied' in view ? [...new Set(view.occupied)] : []
