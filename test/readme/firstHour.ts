// What does an administrator do who comes from MetalLB? The terminal of examples/from-metallb, word
// for word, in a folder that has the examples.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { followed } from './followed.ts'

const network = '192.0.2.'

/** `own` is as long as the network of the page, so that lines are as wide. */
export async function firstHour(shell: (commands: string) => string, own = network): Promise<void> {
  const steps = consoleIn(readFileSync('examples/from-metallb/README.md', 'utf8'))
  expect(steps.length).toBeGreaterThan(25)
  shell(`mkdir -p ~/first-hour && cp -r '${resolve('examples')}' ~/first-hour
sed -i 's/192\\.0\\.2\\./${own}/g' ~/first-hour/examples/from-metallb/*.yaml`)
  await followed(steps, (command) =>
    shell(`cd ~/first-hour && exec 2>&1\n${command.replaceAll(network, own)}`)
      .replaceAll(own, network)
      .replaceAll(warning, ''),
  )
}

/** On a cluster no webhook sees Services. */
const warning = /^Warning: annotation metallb.universe.tf\/.* is deprecated: .*\n/gm
