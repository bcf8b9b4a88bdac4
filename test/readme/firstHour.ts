// What does an administrator do who comes from MetalLB? The terminal of examples/from-metallb, word
// for word, in a folder that has the examples.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { followed } from './followed.ts'

export async function firstHour(shell: (commands: string) => string): Promise<void> {
  const steps = consoleIn(readFileSync('examples/from-metallb/README.md', 'utf8'))
  expect(steps.length).toBeGreaterThan(25)
  shell(`mkdir -p ~/first-hour && ln -s '${resolve('examples')}' ~/first-hour/examples`)
  await followed(steps, (command) =>
    shell(`cd ~/first-hour && exec 2>&1\n${command}`).replaceAll(warning, ''),
  )
}

/** On a cluster no webhook sees Services. */
const warning = /^Warning: annotation metallb.universe.tf\/.* is deprecated: .*\n/gm
