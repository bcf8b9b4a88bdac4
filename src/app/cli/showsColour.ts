// Is text shown in colour? FORCE_COLOR decides, then NO_COLOR, then whether it is a terminal.
import type { Io } from './io.ts'

export function showsColour({ FORCE_COLOR, NO_COLOR }: Io['env'], isTerminal: boolean): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTerminal
}
