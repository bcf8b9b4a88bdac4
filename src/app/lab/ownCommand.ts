// How does the lab start Berth? As a user does, and as this very process was started.
import process from 'node:process'
import type { Lab } from './lab.ts'

/** This very program, from sources or built. */
export const berth = (...args: readonly string[]): string[] => {
  const [node = '', main = ''] = process.argv
  return [node, ...process.execArgv, main, ...args]
}
/** What a process of the lab does there. */
export const inside = ({ settings }: Lab, ...words: readonly string[]): string[] =>
  berth('lab', 'inside', ...words, '--name', settings.name)
