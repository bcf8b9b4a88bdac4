// Is the README's picture what the command prints today? `vitest -u` draws it anew.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { berth } from '../build/terminal.ts'
import { terminalSvg } from '../build/terminalSvg.ts'

test('docs/images/plan.svg shows berth plan on the example cluster', async () => {
  const args = ['plan', '-f', 'examples/cluster']
  const { exit, out } = await berth(args)
  expect(exit).toBe(2)
  await expect(terminalSvg(`berth ${args.join(' ')}`, out)).toMatchFileSnapshot(
    '../../docs/images/plan.svg',
  )
})

test('docs/images/up.svg shows what the README types, and test/readme proves', async () => {
  const all = consoleIn(readFileSync('README.md', 'utf8'))
  const [first, ...rest] = all.filter(({ command }) => !command.includes('berth lab'))
  const lines = rest.map(({ command, output }) => `$ ${command}\n${output}`)
  await expect(terminalSvg(first?.command ?? '', lines.join(''))).toMatchFileSnapshot(
    '../../docs/images/up.svg',
  )
})
