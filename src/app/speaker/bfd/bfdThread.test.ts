// Proves that two threads find each other over the kernel's sockets, on loopback addresses.
import { afterEach, expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import type { BfdNews, BfdPlan } from './bfdMessages.ts'
import { BfdThread } from './bfdThread.ts'

const [here, there] = ['127.0.0.31' as Ip, '127.0.0.32' as Ip]
const threads: BfdThread[] = []
afterEach(async () => {
  await Promise.all(threads.splice(0).map((one) => one.order({ kind: 'stop' })))
})

const plan = (source: Ip, peer: Ip, intervalMs = 50): BfdPlan => ({
  key: peer,
  target: { peer, source, device: '', hops: 'single', leastTtl: 255 },
  // Long detection: a busy machine must not fail the test.
  timers: {
    txMicros: intervalMs * 1000,
    rxMicros: intervalMs * 1000,
    multiplier: 200,
    isPassive: false,
    echoMicros: 0,
  },
  echo: undefined,
})

function thread(...plans: readonly BfdPlan[]) {
  const news: BfdNews[] = []
  const made = new BfdThread((one) => news.push(one))
  threads.push(made)
  void made.order({ kind: 'run', plans })
  const states = () =>
    news.flatMap((one) =>
      one.kind === 'changed' ? [`${one.view.state} ${one.down?.cause ?? one.view.trouble}`] : [],
    )
  const views = () => news.flatMap((one) => (one.kind === 'views' ? one.views : []))
  return { made, states, views }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('[R8.11] up, other timers without a break, and down on purpose', async () => {
  const ours = thread(plan(here, there))
  const theirs = thread(plan(there, here))
  await until(() => ours.states().includes('Up ') && theirs.states().includes('Up '))
  await ours.made.order({ kind: 'run', plans: [plan(here, there, 80)] })
  await until(() => theirs.views().some(({ transmitMs }) => transmitMs === 80))
  expect(ours.states().at(-1)).toBe('Up ')
  await theirs.made.order({ kind: 'run', plans: [] })
  await until(() => ours.states().includes('Down admin'))
  expect(ours.states()).not.toContain('Down failure')
})

test('what the kernel refuses is said', async () => {
  const { states } = thread(plan('192.0.2.1' as Ip, there))
  await until(() => states().length > 0)
  expect(states()).toEqual(['Down bind: EADDRNOTAVAIL'])
})
