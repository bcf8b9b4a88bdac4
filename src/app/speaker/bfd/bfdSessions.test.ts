// Proves what BFD has to say to BGP, and when its thread runs.
import { expect, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { BfdNews, BfdPlan, BfdView } from './bfdMessages.ts'
import { bfdMetrics } from './bfdMetrics.ts'
import { BfdSessions } from './bfdSessions.ts'
import type { startBfdThread } from './startBfdThread.ts'

const plan = (key: string, multiplier = 3): BfdPlan => ({
  key,
  target: { peer: key as Ip, source: undefined, device: '', hops: 'single', leastTtl: 255 },
  timers: { txMicros: 50_000, rxMicros: 50_000, multiplier, isPassive: false, echoMicros: 0 },
  echo: undefined,
})
const view = (key: string, given: Partial<BfdView> = {}): BfdView => ({
  ...{ key, state: 'Up', remote: 'Up', trouble: '', transmitMs: 50, detectMs: 150 },
  counts: { received: 7, sent: 8, echoed: 5, echoes: 6, ups: 1, downs: 0 },
  ...given,
})
const changed = (one: BfdView, down?: { cause: 'failure' | 'admin'; why: string }): BfdNews => ({
  kind: 'changed',
  view: one,
  ...(down && { down }),
})

function stand() {
  const clock = newClock()
  const said: string[] = []
  let listener: Parameters<typeof startBfdThread>[0] | undefined
  const sessions = new BfdSessions({
    start(given) {
      said.push('thread')
      listener = given
      return {
        run: (plans) =>
          said.push(plans.map(({ key, timers }) => `${key} x ${timers.multiplier}`).join(', ')),
        stop: async () => {
          said.push('stop')
        },
      }
    },
    nowMs: clock.nowMs,
    log: () => undefined,
    failed: (peers, why) => said.push(`${peers.join(' and ')}: ${why}`),
  })
  return {
    sessions,
    said,
    clock,
    tell: (news: BfdNews) => listener?.tell(news),
    end: () => listener?.ended('out of memory'),
  }
}

test('the thread runs only while a peer has a profile', async () => {
  const { sessions, said } = stand()
  sessions.run(new Map())
  expect(said).toEqual([])
  sessions.run(new Map([['a', plan('192.0.2.1')]]))
  sessions.run(new Map([['a', plan('192.0.2.1', 5)]]))
  sessions.run(new Map())
  expect(said).toEqual(['thread', '192.0.2.1 x 3', '192.0.2.1 x 5', 'stop'])
  await sessions.stop()
})

test('[R8.11] a failure is told to every peer at the address, the end of BFD to none', () => {
  const { sessions, said, tell } = stand()
  const shared = plan('192.0.2.1')
  sessions.run(
    new Map([
      ['a', shared],
      ['b', shared],
      ['c', plan('192.0.2.9')],
    ]),
  )
  tell(changed(view(shared.key)))
  said.length = 0
  tell(changed(view(shared.key, { state: 'Down' }), { cause: 'admin', why: 'the peer ended BFD' }))
  expect(said).toEqual([])
  tell(changed(view(shared.key, { state: 'Down' }), { cause: 'failure', why: 'silence' }))
  expect(said).toEqual(['a and b: silence'])
})

test('[R8.11] a session that is not up is missed once it has had its time', () => {
  const { sessions, clock, tell } = stand()
  sessions.run(new Map([['a', plan('192.0.2.1')]]))
  const isMissing = () => sessions.seenBy('a')?.isMissing
  expect(isMissing()).toBe(false)
  clock.advance(6_000)
  expect(isMissing()).toBe(true)
  tell(changed(view('192.0.2.1')))
  expect(isMissing()).toBe(false)
  tell({ kind: 'views', views: [view('192.0.2.1', { state: 'Down' })] })
  expect(isMissing()).toBe(false)
  clock.advance(6_000)
  expect(isMissing()).toBe(true)
  expect(sessions.seenBy('b')).toBeUndefined()
})

test('[R8.11] a thread that ends is no failure of the path', async () => {
  const { sessions, said, tell, end } = stand()
  sessions.run(new Map([['a', plan('192.0.2.1')]]))
  tell(changed(view('192.0.2.1')))
  said.length = 0
  end()
  expect(said).toEqual([])
  expect(sessions.seenBy('a')?.view).toBeUndefined()
  while (said.length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(said).toEqual(['thread', '192.0.2.1 x 3'])
})

test('[M7.1] figures are by address', () => {
  const { sessions, tell } = stand()
  sessions.run(new Map([['a', plan('192.0.2.1')]]))
  tell(changed(view('192.0.2.1')))
  const text = bfdMetrics(sessions.seen).map(
    ({ name, samples: [sample] }) => `${name} ${sample?.labels?.['peer']} ${sample?.value}`,
  )
  expect(text).toEqual([
    'metallb_bfd_session_up 192.0.2.1 1',
    'metallb_bfd_control_packet_input 192.0.2.1 7',
    'metallb_bfd_control_packet_output 192.0.2.1 8',
    'metallb_bfd_echo_packet_input 192.0.2.1 5',
    'metallb_bfd_echo_packet_output 192.0.2.1 6',
    'metallb_bfd_session_up_events 192.0.2.1 1',
    'metallb_bfd_session_down_events 192.0.2.1 0',
    'metallb_bfd_zebra_notifications 192.0.2.1 1',
  ])
})
