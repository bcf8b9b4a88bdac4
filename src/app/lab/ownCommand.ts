// How does the lab start Berth? As a user does, with the program that is running now.
import process from 'node:process'
import type { Lab } from './lab.ts'

/** This program, from sources or built. */
export const berth = (...args: readonly string[]): string[] => {
  const [node = '', main = ''] = process.argv
  return [node, ...process.execArgv, main, ...args]
}
/** The command of a process inside the lab. */
export const inside = ({ settings }: Lab, ...words: readonly string[]): string[] =>
  berth('lab', 'inside', ...words, '--name', settings.name)
