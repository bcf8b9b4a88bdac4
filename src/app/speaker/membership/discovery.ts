// Where may fellow speakers be, and which nodes should run one? Asked of pods or of a list.
import type { NodeAddresses } from '../../../core/session/membership/origins.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'

export type Discovered = {
  readonly seeds: readonly Endpoint[]
  /** Nodes; where only an endpoint is given, the node is whoever speaks from there. */
  readonly expected: readonly (string | Endpoint)[]
  /** Which addresses are whose: what comes from elsewhere does not count as a node's word. */
  readonly places?: readonly NodeAddresses[]
  /** Why this is not to be relied on, and what to do about it: nobody is taken for alone by it. */
  readonly problem?: string
}

/** Until the signal aborts; what was told last holds while nothing can be asked. */
export type Discovery = (found: (found: Discovered) => void, signal: AbortSignal) => Promise<void>
