// Proves when a session comes up, goes down and changes its pace, in time that only the test moves.
import { expect, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import { randomFrom } from '../../../../test/build/random.ts'
import { type Control, decodeControl, encodeControl } from '../../wire/bfd.ts'
import type { BfdEvent, BfdTimer, BfdTimers } from './events.ts'
import { newBfdSession, stepBfd } from './session.ts'

const timers = (given: Partial<BfdTimers> = {}): BfdTimers => ({
  txMicros: 50_000,
  rxMicros: 50_000,
  multiplier: 3,
  isPassive: false,
  echoMicros: 0,
  echoRxMicros: 0,
  ...given,
})

type Said = { readonly atMs: number; readonly packet: Control }
type Ground = {
  readonly clock: ReturnType<typeof newClock>
  readonly random: () => number
  /** Whether echo packets come back. */
  readonly isForwarding?: () => boolean
}

/** One end, with everything that it did. */
class End {
  session: ReturnType<typeof newBfdSession>
  readonly said: Said[] = []
  readonly news: string[] = []
  echoes = 0
  hear: (bytes: Uint8Array) => void = () => undefined
  readonly #ground: Ground
  readonly #waits = new Map<string, () => void>()

  constructor(ground: Ground, discriminator: number, given: Partial<BfdTimers> = {}) {
    this.#ground = ground
    this.session = newBfdSession(timers(given), discriminator)
  }

  handle(event: BfdEvent): void {
    const { clock, random } = this.#ground
    const [session, effects] = stepBfd(this.session, event)
    this.session = session
    for (const effect of effects) {
      if (effect.kind === 'send') {
        this.said.push({ atMs: clock.nowMs(), packet: effect.packet })
        this.hear(encodeControl(effect.packet))
      } else if (effect.kind === 'arm') this.#arm(effect.timer, effect.ms)
      else if (effect.kind === 'armJittered') {
        const { timer, leastMs, mostMs } = effect
        this.#arm(timer, leastMs + random() * (mostMs - leastMs))
      } else if (effect.kind === 'sendEcho') {
        this.echoes++
        if (this.#ground.isForwarding?.() ?? true) this.handle({ kind: 'echoed' })
      } else if (effect.kind === 'disarm') this.#waits.get(effect.timer)?.()
      else if (effect.kind === 'up') this.news.push('up')
      else this.news.push(`${effect.cause}: ${effect.why}`)
    }
  }

  heard(bytes: Uint8Array): void {
    const packet = decodeControl(bytes)
    if (packet.ok) this.handle({ kind: 'heard', packet: packet.value })
  }

  /** Pauses between two packets since then, in whole milliseconds. */
  gapsSince(atMs: number): readonly number[] {
    const times = this.said.filter((one) => one.atMs >= atMs).map((one) => one.atMs)
    return times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)))
  }

  #arm(timer: BfdTimer, ms: number): void {
    this.#waits.get(timer)?.()
    this.#waits.set(
      timer,
      this.#ground.clock.after(ms, () => this.handle({ kind: 'timer', timer })),
    )
  }
}

function pair(ours: Partial<BfdTimers> = {}, theirs: Partial<BfdTimers> = {}, seed = 1) {
  const wire = { loss: 0, isForwarding: true }
  const isForwarding = () => wire.isForwarding
  const ground = { clock: newClock(), random: randomFrom(seed), isForwarding }
  const [a, b] = [new End(ground, 11, ours), new End(ground, 22, theirs)]
  const carry = (to: End) => (bytes: Uint8Array) => {
    if (ground.random() >= wire.loss) ground.clock.after(1, () => to.heard(bytes))
  }
  a.hear = carry(b)
  b.hear = carry(a)
  a.handle({ kind: 'start' })
  b.handle({ kind: 'start' })
  return { ...ground, a, b, wire }
}

const states = ({ a, b }: { readonly a: End; readonly b: End }) => [
  a.session.state,
  b.session.state,
]

test('two come up, slow before and fast after', () => {
  const all = pair()
  const { clock, a } = all
  clock.advance(5_000)
  expect(states(all)).toEqual(['Up', 'Up'])
  const [first] = a.said
  expect(first?.packet).toMatchObject({ state: 'Down', yours: 0, minTxMicros: 1_000_000 })
  for (const gap of a.gapsSince(3_000)) expect(gap).toBeLessThanOrEqual(50)
  expect(a.said.at(-1)?.packet).toMatchObject({ minTxMicros: 50_000, isPoll: false })
})

test('nobody answers: one packet in a second', () => {
  const clock = newClock()
  const a = new End({ clock, random: randomFrom(1) }, 11)
  a.handle({ kind: 'start' })
  clock.advance(20_000)
  for (const gap of a.gapsSince(0)) expect(gap).toBeGreaterThanOrEqual(750)
  expect(a.said.length).toBeGreaterThan(19)
})

test.each([
  { multiplier: 3, least: 0.75, most: 1 },
  { multiplier: 1, least: 0.75, most: 0.9 },
])('jitter with multiplier $multiplier: $least to $most', ({ multiplier, least, most }) => {
  const { clock, a } = pair({ multiplier, txMicros: 400_000 }, {})
  clock.advance(10_000)
  clock.advance(60_000)
  const gaps = a.gapsSince(10_000)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(400 * least)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(400 * most)
  expect(new Set(gaps).size).toBeGreaterThan(20)
})

test('[R8.11] the detection time is the peer multiplier times the slower interval', () => {
  const { clock, a, wire } = pair({ rxMicros: 60_000 }, { txMicros: 40_000, multiplier: 5 })
  clock.advance(5_000)
  wire.loss = 1
  clock.advance(240)
  expect(a.news).toEqual(['up'])
  clock.advance(70)
  expect(a.news).toEqual(['up', 'failure: nothing heard for 300 ms'])
  expect(a.said.at(-1)?.packet).toMatchObject({ state: 'Down', diagnostic: 1, yours: 0 })
})

test('[R8.11] who hears nothing tells the other, who then knows too', () => {
  const { clock, a, b } = pair()
  clock.advance(5_000)
  b.hear = () => undefined
  clock.advance(300)
  expect(a.news.at(-1)).toMatch(/^failure: nothing heard/)
  expect(b.news.at(-1)).toBe('failure: the peer says Down: Control Detection Time Expired')
})

test('[R8.11] a peer that ends BFD on purpose is no failure', () => {
  const { clock, a, b } = pair()
  clock.advance(5_000)
  b.handle({ kind: 'stop' })
  clock.advance(10)
  expect(a.news.at(-1)).toBe('admin: the peer ended BFD')
  expect(b.said.at(-1)?.packet).toMatchObject({ state: 'AdminDown', diagnostic: 7 })
  const count = b.said.length
  clock.advance(5_000)
  expect(b.said).toHaveLength(count)
})

test.each([
  { ours: true, theirs: false, state: 'Up' },
  { ours: true, theirs: true, state: 'Down' },
])('passive: $ours and $theirs make $state', ({ ours, theirs, state }) => {
  const all = pair({ isPassive: ours }, { isPassive: theirs })
  all.clock.advance(5_000)
  expect(states(all)).toEqual([state, state])
  if (state === 'Down') expect(all.a.said).toEqual([])
})

test('a passive one falls silent again with its peer', () => {
  const { clock, a, wire } = pair({ isPassive: true })
  clock.advance(5_000)
  wire.loss = 1
  clock.advance(1_000)
  const count = a.said.length
  clock.advance(10_000)
  expect(a.said).toHaveLength(count)
})

test.each([
  { what: 'slower', to: 200 },
  { what: 'faster', to: 10 },
])('[R8.11] timers that become $what are negotiated, and nothing goes down', ({ to }) => {
  const { clock, a, b } = pair()
  clock.advance(5_000)
  const micros = to * 1000
  a.handle({ kind: 'retimed', timers: timers({ txMicros: micros, rxMicros: micros }) })
  b.handle({ kind: 'retimed', timers: timers({ txMicros: micros, rxMicros: micros }) })
  expect(a.said.at(-1)?.packet).toMatchObject({ isPoll: true, minTxMicros: micros })
  clock.advance(1_000)
  const from = clock.nowMs()
  clock.advance(5_000)
  expect(Math.max(...a.gapsSince(from))).toBeLessThanOrEqual(to)
  expect(Math.min(...a.gapsSince(from))).toBeGreaterThanOrEqual(Math.floor(to * 0.75))
  expect([a.news, b.news]).toEqual([['up'], ['up']])
  expect(a.session.poll).toBe('none')
})

test('a slower pace waits until the peer knows of it', () => {
  const { clock, a, wire } = pair()
  clock.advance(5_000)
  wire.loss = 1
  a.handle({ kind: 'retimed', timers: timers({ txMicros: 10_000_000 }) })
  const from = clock.nowMs()
  clock.advance(100)
  // Else the peer, which has not heard of it, would take it for dead.
  expect(Math.max(...a.gapsSince(from))).toBeLessThanOrEqual(50)
})

test('timers that change twice are polled twice', () => {
  const { clock, a } = pair()
  clock.advance(5_000)
  a.handle({ kind: 'retimed', timers: timers({ txMicros: 100_000 }) })
  a.handle({ kind: 'retimed', timers: timers({ txMicros: 200_000 }) })
  expect(a.session.poll).toBe('again')
  clock.advance(1_000)
  expect(a.session.poll).toBe('none')
})

const packet = (given: Partial<Control>): Control => ({
  ...{ diagnostic: 0, state: 'Up', isPoll: false, isFinal: false, isDemand: false, multiplier: 3 },
  ...{ mine: 22, yours: 11, minTxMicros: 50_000, minRxMicros: 50_000, minEchoRxMicros: 0 },
  ...given,
})

test('[R8.11] echo packets at the pace that the peer gives them back', () => {
  const { clock, a, b } = pair({ echoMicros: 20_000 }, { echoRxMicros: 50_000 })
  clock.advance(5_000)
  const before = a.echoes
  clock.advance(10_000)
  // Three quarters to all of 50 ms.
  expect(a.echoes - before).toBeGreaterThanOrEqual(199)
  expect(a.echoes - before).toBeLessThanOrEqual(270)
  expect([a.news, b.news, b.echoes]).toEqual([['up'], ['up'], 0])
})

test('[R8.11] echo packets that do not come back end the session, and say so', () => {
  const { clock, a, b, wire } = pair({ echoMicros: 50_000 }, { echoRxMicros: 50_000 })
  clock.advance(5_000)
  wire.isForwarding = false
  clock.advance(200)
  expect(a.news[1]).toBe('failure: no echo packet came back for 150 ms')
  expect(b.news[1]).toBe('failure: the peer says Down: Echo Function Failed')
})

test.each([
  { what: 'a peer that gives none back', ours: { echoMicros: 50_000 }, theirs: {} },
  { what: 'a profile without', ours: {}, theirs: { echoRxMicros: 50_000 } },
])('no echo packets: $what', ({ ours, theirs }) => {
  const { clock, a, wire } = pair(ours, theirs)
  wire.isForwarding = false
  clock.advance(20_000)
  expect([a.echoes, a.news]).toEqual([0, ['up']])
})

test('echo packets end while the profile has them off', () => {
  const { clock, a, wire } = pair({ echoMicros: 50_000 }, { echoRxMicros: 50_000 })
  clock.advance(5_000)
  a.handle({ kind: 'retimed', timers: timers() })
  wire.isForwarding = false
  const before = a.echoes
  clock.advance(5_000)
  expect([a.echoes - before, a.news]).toEqual([0, ['up']])
})

test('a packet for another session changes nothing', () => {
  const { clock, a } = pair()
  clock.advance(5_000)
  const before = a.session
  a.handle({ kind: 'heard', packet: packet({ yours: 12, state: 'Down' }) })
  expect(a.session).toBe(before)
})

test.each([
  { what: 'wants none while both are up', given: { isDemand: true } },
  { what: 'takes none', given: { minRxMicros: 0 } },
])('a peer that $what gets no periodic packets, and its poll is answered', ({ given }) => {
  const { clock, a, b } = pair()
  clock.advance(5_000)
  b.hear = () => undefined
  a.handle({ kind: 'heard', packet: packet({ ...given, multiplier: 255 }) })
  const count = a.said.length
  clock.advance(1_000)
  expect(a.said).toHaveLength(count)
  a.handle({ kind: 'heard', packet: packet({ ...given, isPoll: true, multiplier: 255 }) })
  expect(a.said.at(-1)?.packet).toMatchObject({ isPoll: false, isFinal: true })
})

test.each(Array.from({ length: 50 }, (_, seed) => seed))(
  '[R8.11] a lossy link, seed %i: up when it carries, down when it does not',
  (seed) => {
    const all = pair({}, { txMicros: 100_000, multiplier: 4 }, seed)
    const { clock, wire, random } = all
    for (let round = 0; round < 6; round++) {
      wire.loss = random() * 0.9
      clock.advance(10_000 * random())
      wire.loss = 0
      clock.advance(5_000)
      expect(states(all)).toEqual(['Up', 'Up'])
      wire.loss = 1
      clock.advance(500)
      expect(states(all)).toEqual(['Down', 'Down'])
    }
  },
)
