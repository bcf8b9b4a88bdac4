// Is the README's picture what the command prints today? `vitest -u` draws it anew.
import { expect, test } from 'vitest'
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
