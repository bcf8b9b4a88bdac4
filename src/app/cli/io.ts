// Where does a verb read from and write to? Handed in by main, so that a test can be the terminal.

import type { Targets } from './scenarios/target.ts'

export type Io = {
  readonly stdin: AsyncIterable<Uint8Array | string>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** As `out`, for text with colours in which all else has been made visible already. */
  readonly painted?: (text: string) => void
  /** Colour and redrawing only here; FORCE_COLOR and NO_COLOR decide otherwise. */
  readonly isTerminal: boolean
  /** How much the terminal shows at once. */
  readonly screen?: () => { readonly rows: number; readonly columns: number }
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Of the `berth up` that runs here on its usual folder, if one does. */
  readonly localKubeconfig?: () => Promise<string | undefined>
  /** Embedded APIs with the controller on them, for scenarios; what they log goes there. */
  readonly embeddedTargets?: (log: (line: string) => void) => Promise<Targets>
}

/** What each means stands in the help of the verb. */
export type Exit = 0 | 1 | 2
