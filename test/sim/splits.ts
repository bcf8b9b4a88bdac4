// Does a side without the majority fall silent before the other one takes over (R8.3)? One address of
// a safe pool, in virtual time: what each speaker sees decides, its deadline silences it.
import fc from 'fast-check'
import { expect } from 'vitest'
import { Vouching } from '../../src/app/speaker/membership/vouching.ts'
import { placeOf, ringOf } from '../../src/core/session/membership/ring.ts'
import { defaultTiming } from '../../src/core/session/membership/timing.ts'
import { randomFrom } from '../build/random.ts'
import { Network } from './membershipNetwork.ts'
import type { Promised } from './properties.ts'

type Speaker = {
  readonly vouching: Vouching
  until: number
  /** Whom it takes for the owner, and from when it answers itself. */
  owner: string | undefined
  answersFrom: number
}

/** All speakers of a network, as app/speaker drives them. */
class Safe {
  readonly #network: Network
  readonly #speakers = new Map<string, Speaker>()
  readonly #expected: ReadonlySet<string>

  constructor(network: Network) {
    this.#network = network
    this.#expected = new Set(network.names)
    for (const name of network.names) {
      const speaker: Speaker = {
        vouching: new Vouching(defaultTiming, (until) => {
          speaker.until = until
        }),
        ...{ until: 0, owner: undefined, answersFrom: Number.POSITIVE_INFINITY },
      }
      this.#speakers.set(name, speaker)
    }
    network.drivers = {
      heard: (name, from, readAt) => this.#of(name).vouching.heard(network.now, from, readAt),
      ticks: (name, lateMs) => {
        const { vouching } = this.#of(name)
        vouching.ticked(network.now, lateMs)
        if (vouching.isLate) network.membership(name).callRoll(network.now)
      },
      ticked: (name) => {
        const seen = new Set(this.#seenBy(name))
        this.#of(name).vouching.vouch(network.now, { seen, expected: this.#expected })
        this.#decide(name)
      },
    }
  }

  get answering(): string[] {
    const { now } = this.#network
    return [...this.#speakers].flatMap(([name, { answersFrom, until }]) =>
      answersFrom <= now && now < until ? name : [],
    )
  }

  #decide(name: string): void {
    const speaker = this.#of(name)
    const { now } = this.#network
    const live = this.#network.membership(name).candidates()
    const hasMajority = 2 * this.#seenBy(name).length > this.#expected.size
    const [first] = [...live].sort()
    const owner = hasMajority ? first : undefined
    const before = speaker.owner
    if (owner === before) return
    // Who lost the majority no more knows who has it.
    if (owner !== undefined) speaker.owner = owner
    if (owner !== name) speaker.answersFrom = Number.POSITIVE_INFINITY
    else if (speaker.answersFrom === Number.POSITIVE_INFINITY) {
      const isKnown = before === undefined || (before !== name && live.has(before))
      speaker.answersFrom = now + (isKnown ? 0 : speaker.vouching.safeDelayMs)
    }
  }

  #seenBy(name: string): readonly string[] {
    const { missing } = this.#network.membership(name)
    return this.#network.liveFor(name).filter((node) => !missing.has(node))
  }

  #of(name: string): Speaker {
    const speaker = this.#speakers.get(name)
    if (speaker === undefined) throw new Error(`no speaker ${name}`)
    return speaker
  }
}

const lots = (count: number, random: () => number): number[] =>
  Array.from({ length: count }, (_, at) => [random(), at] as const)
    .sort(([one], [other]) => one - other)
    .map(([, at]) => at)

type Cut = {
  readonly count: number
  readonly seed: number
  readonly late: number
  /** Whether the smaller side stands together in the ring, the owner as its last. */
  readonly isInPiece: boolean
}

/** The owner is with the smaller side; `late` of all are always late, each by its own time. */
function cutAt({ count, seed, late, isInPiece }: Cut): void {
  const random = randomFrom(seed)
  const network = new Network(seed, { loss: 0.02 * random(), timerMs: 2 })
  network.hasLinks = false
  network.isRecording = false
  network.seedCount = count
  network.open(count)
  const names = [...network.names].sort()
  const safe = new Safe(network)
  network.run(500)
  expect(safe.answering).toEqual(names.slice(0, 1))
  const [first = ''] = names
  const ring = ringOf(names.map((name) => ({ node: name, place: placeOf(name) })))
  const order = isInPiece ? ring : lots(count, random).map((at) => names[at] ?? '')
  // Mostly it lacks little of a majority.
  const rest = Math.floor(Math.sqrt(random()) * Math.floor((count - 1) / 2))
  // From the owner on, so that it watches nobody of the other side when that is long enough.
  const behind = [...order.slice(order.indexOf(first)), ...order.slice(0, order.indexOf(first))]
  const side = isInPiece ? [...behind.slice(-rest - 1), first].slice(1) : behind.slice(0, rest + 1)
  const others = names.filter((name) => !side.includes(name))
  const slow = lots(count, random)
    .slice(0, late)
    .map((at) => ({ name: names[at] ?? '', ms: 20 + 250 * random(), at: network.now }))
  const step = 5
  const run = (ms: number, check: () => void) => {
    for (const until = network.now + ms; network.now < until; network.run(step)) {
      for (const one of slow) {
        if (network.now < one.at) continue
        network.stall(one.name, one.ms)
        one.at = network.now + one.ms + 40
      }
      check()
    }
  }
  run(2000, () => undefined)
  network.split(side, others)
  const [ofSide, ofOthers] = [new Set(side), new Set(others)]
  run(3000, () => {
    const both = safe.answering
    const isTorn = both.some((name) => ofSide.has(name)) && both.some((name) => ofOthers.has(name))
    if (isTorn) throw new Error(`at ${network.now}: ${both.join()}; ${side.join()} were cut off`)
  })
  if (late === 0) expect(safe.answering, 'the larger side').toHaveLength(1)
}

const cut = (most: number, late: number): fc.Arbitrary<Cut> =>
  fc.record({
    count: fc.integer({ min: 3, max: most }),
    seed: fc.nat(1_000_000),
    late: fc.nat(late),
    isInPiece: fc.boolean(),
  })

export const splits: readonly Promised[] = [
  {
    title: '[R8.3] the sides of a cut never answer together',
    property: fc.property(cut(24, 0), cutAt),
  },
  {
    title: '[R8.3] the sides of a cut never answer together, though some are always late',
    property: fc.property(cut(24, 3), cutAt),
  },
]
