// Is a program of others here? A test that needs it says so where it is not.
import { spawnSync } from 'node:child_process'
import process from 'node:process'

/** As `not run` in the summary of all suites. */
export function programHere(suite: string, program: string, args: readonly string[]): boolean {
  const isHere = spawnSync(program, [...args]).error === undefined
  if (!isHere) process.stdout.write(`${suite}, ${program}: not run: ${program} is not installed\n`)
  return isHere
}
