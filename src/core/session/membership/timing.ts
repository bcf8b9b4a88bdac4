// How fast is a silent member noticed? Everything follows from the beat and the timeout.

export type Timing = {
  readonly beatMs: number
  /** Silence after which a watcher accuses. */
  readonly timeoutMs: number
  /** Between two exchanges of digests with a random member. */
  readonly exchangeMs: number
  /** A member that has been dead this long is forgotten; seeds still find it. */
  readonly forgetMs: number
}

export type BeatTiming = Pick<Timing, 'beatMs' | 'timeoutMs'>

export const defaultTiming: Timing = {
  beatMs: 40,
  timeoutMs: 340,
  exchangeMs: 1000,
  forgetMs: 600_000,
}

/** A link is beaten half as often: cheaper, as long as a timeout still holds so many beats. */
const [beatStretch, fewestBeats] = [2, 4]
/** With many links that takes longer. */
const mostStretch = 2

export function linkTiming(timing: BeatTiming, links: readonly Beaten[]): BeatTiming {
  let beaten = 0
  for (const link of links) if (isBeaten(link)) beaten++
  const times = Math.min(mostStretch, Math.max(1, Math.ceil(beaten / 2)))
  const timeoutMs = timing.timeoutMs * times
  const longestMs = Math.max(timing.beatMs, timeoutMs / fewestBeats)
  return { beatMs: Math.min(timing.beatMs * beatStretch, longestMs), timeoutMs }
}

/** Where nothing is announced nobody needs to be heard. */
export const isBeaten = ({ isUp, isUsed }: Beaten): boolean => isUp && isUsed
type Beaten = { readonly isUp: boolean; readonly isUsed: boolean }
