// Do the README's pictures show what is true today? `vitest -u` draws them again.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { barsSvg } from '../build/barsSvg.ts'
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

/** The median gap of one row of the table, or of the sentence about MetalLB. */
const gapIn = (page: string, pattern: RegExp): number => Number(pattern.exec(page)?.[1])

test('docs/images/failover.svg and the README show the figures of docs/bench/layer2.md', async () => {
  const page = readFileSync('docs/bench/layer2.md', 'utf8')
  const gaps = [
    { label: 'Berth', value: gapIn(page, /^\| Berth \| \d+ \| ([\d.]+) s/m) },
    {
      label: 'keepalived',
      value: gapIn(page, /^\| keepalived, VRRPv2, 1 s \| \d+ \| ([\d.]+) s/m),
    },
    { label: 'MetalLB', value: gapIn(page, /MetalLB[^.]*[.\d]+'s speaker[^|]*?p50 ([\d.]+) s/) },
  ]
  const bars = gaps.map((gap) => ({ ...gap, text: `${gap.value} s` }))
  const title = 'Time without an answer after a node is lost'
  const note = 'Median, default settings. Figures and method: docs/bench/layer2.md'
  const said = bars.map(({ label, text }) => `${label} ${text}`).join(', ')
  expect(readFileSync('README.md', 'utf8')).toContain(`![${title}: ${said}]`)
  await expect(barsSvg({ title, note, bars })).toMatchFileSnapshot('../../docs/images/failover.svg')
})
