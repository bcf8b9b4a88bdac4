// What do the parts of a membership stand on together?
import type { Outbox } from './outbox.ts'
import type { Roster } from './roster.ts'
import type { Timing } from './timing.ts'

export type Ground = {
  readonly timing: Timing
  readonly roster: Roster
  readonly outbox: Outbox
}
