// How long does a client get no answer when the announcing node is lost?
import { setTimeout as sleep } from 'node:timers/promises'
import { address, type Contender } from './contenders.ts'
import { loseNode } from './ground.ts'
import { Pulse } from './watchers.ts'

export type Gaps = { readonly name: string; readonly gapsMs: readonly number[] }

const calmMs = 1_500
/** Far longer than any recovery ever took. */
const patienceMs = 30_000

export async function measureGaps(
  contender: Contender,
  losses: number,
  say: (text: string) => void,
): Promise<Gaps> {
  const { name } = contender
  const ground = await contender.start()
  const pulse = new Pulse(address)
  const gapsMs: number[] = []
  try {
    let home = await pulse.steady(3 * calmMs)
    for (let loss = 0; loss < losses; loss++) {
      // Avoids running in step with the heartbeats.
      await sleep(Math.random() * 1_000)
      const coming = pulse.moveFrom(home, patienceMs)
      loseNode(ground, home, contender.victims(ground, home))
      const { gapMs } = await coming
      gapsMs.push(gapMs)
      say(`${name}: loss ${loss + 1} of ${losses}, ${gapMs.toFixed(0)} ms`)
      const lost = home
      await contender.bringBack(ground, lost)
      home = await pulse.steady(calmMs, (node) => node === lost)
    }
  } finally {
    pulse.close()
    contender.stop(ground)
  }
  return { name, gapsMs }
}
