// Which parts make a membership? Each answers one question and stands on the same ground.
import { Beats } from './beats.ts'
import { Calm } from './calm.ts'
import { Candidates } from './candidates.ts'
import { Exchange } from './exchange.ts'
import type { Ground } from './ground.ts'
import { Horizon } from './horizon.ts'
import { LinkBeats } from './linkBeats.ts'
import { Origins } from './origins.ts'
import { RollCall } from './rollCall.ts'
import { Self } from './self.ts'
import { Strays } from './strays.ts'
import { Trials } from './trials.ts'
import { Watching } from './watching.ts'

export type Parts = {
  readonly ground: Ground
  readonly self: Self
  readonly origins: Origins
  readonly horizon: Horizon
  readonly beats: Beats
  readonly watching: Watching
  readonly trials: Trials
  readonly links: LinkBeats
  readonly exchange: Exchange
  readonly strays: Strays
  readonly candidates: Candidates
  readonly rollCall: RollCall
  readonly calm: Calm
}

type Birth = {
  readonly now: number
  readonly bornMs: number
  readonly random: () => number
}

export function partsOn(ground: Ground, birth: Birth): Parts {
  const { now, random } = birth
  const [origins, horizon] = [new Origins(ground.roster), new Horizon(ground, birth)]
  const [self, watching] = [new Self(ground, horizon), new Watching(ground)]
  const [beats, links] = [new Beats(ground, now), new LinkBeats(ground, now)]
  const [trials, strays] = [new Trials(ground), new Strays(ground)]
  const exchange = new Exchange({ ground, self, origins, horizon, watching, trials, random }, now)
  const candidates = new Candidates(ground, strays, now)
  const rollCall = new RollCall(ground)
  const calm = new Calm(ground, [watching, links], now)
  const heard = { beats, watching, trials, links, strays, rollCall, calm }
  return { ground, self, origins, horizon, exchange, candidates, ...heard }
}
