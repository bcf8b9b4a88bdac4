// Which speakers are there, when nobody tells? Every Node has one: in a cluster that is shared with
// MetalLB, whose speakers do not speak our protocol, both sides count so, and elect the same.
import type { Mac } from '../../../core/net/mac.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import { defaultTiming, type Timing } from '../../../core/session/membership/timing.ts'
import { monotonicMs } from '../monotonic.ts'
import type { MembersOptions } from './members.ts'
import type { MembersDriver, Own } from './membersDriver.ts'

type EveryNodeOptions = Pick<MembersOptions, 'extend'> & {
  /** Whoever changes it asks anew by itself. */
  readonly nodes: () => Iterable<string>
  /**
   * Beats to the others although it does not need them: a speaker that has been restarted to watch
   * its peers sees those that still count every Node, so that the change-over has no gap.
   */
  readonly beside?: Promise<Beside>
  readonly timing?: Partial<Timing>
}

type Beside = Pick<MembersDriver, 'setOwn' | 'leave' | 'stop'>

export class EveryNode {
  readonly #options: EveryNodeOptions
  #own: Own | undefined
  #beside: Beside | undefined
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
    // Without a key nobody hears us, which nobody here depends on.
    options.beside?.then(
      (beside) => {
        this.#beside = beside
        if (this.#own !== undefined) beside.setOwn(this.#own)
      },
      () => undefined,
    )
  }

  get speakers(): Speakers {
    const nodes = new Set(this.#options.nodes())
    return { live: nodes, expected: nodes }
  }

  hasLeft(): boolean {
    return false
  }

  setOwn(own: Own): void {
    this.#own = own
    this.#beside?.setOwn(own)
  }

  describe(): readonly [] {
    return []
  }

  async leave(): Promise<void> {
    await this.#beside?.leave()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beside?.stop()
  }
}
