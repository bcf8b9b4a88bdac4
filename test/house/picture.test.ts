// Is the README's picture what the command prints today? `vitest -u` draws it anew.
import { expect, test } from 'vitest'
import { runCli } from '../../src/app/cli/runCli.ts'
import { terminalSvg } from '../build/terminalSvg.ts'

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

test('docs/images/plan.svg shows berth plan on the example cluster', async () => {
  let output = ''
  const out = (text: string) => {
    output += text
  }
  const args = ['plan', '-f', 'examples/cluster']
  const exit = await runCli(args, { stdin: noInput(), out, err: out, isTerminal: false })
  expect(exit).toBe(2)
  await expect(terminalSvg(`berth ${args.join(' ')}`, output)).toMatchFileSnapshot(
    '../../docs/images/plan.svg',
  )
})
