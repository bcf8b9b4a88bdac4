// Which speakers are there, when nobody tells? Every Node has one: in a cluster that is shared with
// MetalLB, whose speakers do not speak our protocol, both sides count so, and elect the same.
import type { Mac } from '../../../core/net/mac.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import { defaultTiming, type Timing } from '../../../core/session/membership/timing.ts'
import { monotonicMs } from '../monotonic.ts'
import type { MembersOptions } from './members.ts'

type EveryNodeOptions = Pick<MembersOptions, 'extend'> & {
  /** Whoever changes it asks anew by itself. */
  readonly nodes: () => Iterable<string>
  readonly timing?: Partial<Timing>
}

export class EveryNode {
  readonly #options: EveryNodeOptions
  readonly #timer: NodeJS.Timeout
  readonly peerMacs: ReadonlyMap<Mac, string> = new Map()
  readonly isSettled = true
  readonly safeDelayMs = 0

  constructor(options: EveryNodeOptions) {
    this.#options = options
    const { beatMs, timeoutMs } = { ...defaultTiming, ...options.timing }
    const vouch = () => options.extend(monotonicMs() + timeoutMs - beatMs)
    this.#timer = setInterval(vouch, beatMs)
    vouch()
  }

  get speakers(): Speakers {
    const nodes = new Set(this.#options.nodes())
    return { live: nodes, expected: nodes }
  }

  hasLeft(): boolean {
    return false
  }

  setOwn(): void {
    // Nobody is told.
  }

  describe(): readonly [] {
    return []
  }

  async leave(): Promise<void> {
    // Nobody is told.
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
  }
}
