// When is a change of a session written? The first at once; while it goes on changing, later each
// time, and then only how it is by then.
import type { BgpSessionStatus } from '../../../../core/model/bgpSession.ts'

/** `figures`: what changes without anything being wrong. */
const limits = {
  state: { firstMs: 1_000, mostMs: 30_000 },
  figures: { firstMs: 2_000, mostMs: 300_000 },
} as const
/** After this long without a write the delay starts over. */
const calmMs = 60_000

type What = keyof typeof limits
type Texts = Readonly<Record<What, string>>
type Written = { readonly text: string; readonly atMs: number; readonly gapMs: number }

export class SessionPace {
  readonly #written = new Map<What, Written>()

  isDue(status: BgpSessionStatus, nowMs: number): boolean {
    const texts = textsOf(status)
    return whats.some((what) => {
      const { text, atMs, gapMs } = this.#written.get(what) ?? never
      return text !== texts[what] && nowMs - atMs >= gapMs
    })
  }

  wrote(status: BgpSessionStatus, nowMs: number): void {
    const texts = textsOf(status)
    for (const what of whats) {
      const before = this.#written.get(what) ?? never
      if (before.text === texts[what]) continue
      const { firstMs, mostMs } = limits[what]
      const isCalm = nowMs - before.atMs > Math.max(calmMs, 2 * before.gapMs)
      const gapMs = isCalm ? firstMs : Math.min(mostMs, 2 * before.gapMs)
      this.#written.set(what, { text: texts[what], atMs: nowMs, gapMs })
    }
  }
}

const whats: readonly What[] = ['state', 'figures']
const never: Written = { text: '', atMs: Number.NEGATIVE_INFINITY, gapMs: 0 }

const textsOf = ({ routesSent, updatesReceived, ...state }: BgpSessionStatus): Texts => ({
  state: JSON.stringify(state),
  figures: `${routesSent} ${updatesReceived}`,
})
