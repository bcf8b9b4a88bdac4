// How does the measure follow what the client sees? Two processes in the client, and what they told.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/kube/waits.ts'
import { listenIn } from './ground.ts'
import type { Heard } from './heard.ts'
import type { Beat } from './pulse.ts'

export type Moved = Extract<Beat, { readonly kind: 'moved' }>

/** The echo, beat by beat. */
export class Pulse {
  readonly #child
  readonly moves: Moved[] = []
  readonly pauses: number[] = []
  #node = ''
  #sinceMs = performance.now()

  constructor(address: string) {
    this.#child = listenIn<Beat>('client-1', ['pulse.ts', address], (beat) => {
      this.#node = beat.node
      if (beat.kind === 'pause') this.pauses.push(beat.gapMs)
      else this.#sinceMs = performance.now()
      if (beat.kind === 'moved') this.moves.push(beat)
    })
  }

  /** Who answers, once it has been the same for a while, and it is the one that is meant. */
  steady(calmMs: number, isMeant: (node: string) => boolean = () => true): Promise<string> {
    return until(
      'one who answers',
      () => {
        const isCalm = performance.now() - this.#sinceMs > calmMs
        return this.#node !== '' && isCalm && isMeant(this.#node) ? this.#node : undefined
      },
      60_000,
    )
  }

  /** The next move away from a node. */
  async moveFrom(node: string, withinMs: number): Promise<Moved> {
    const count = this.moves.length
    const find = () => this.moves.slice(count).find(({ from }) => from === node)
    return until(`a move away from ${node}`, find, withinMs)
  }

  close(): void {
    this.#child.kill()
  }
}

/** The announcements on the lan. */
export class Ear {
  readonly #child
  readonly #answers: ((heard: Heard) => void)[] = []

  constructor() {
    this.#child = listenIn<Heard>('client-1', ['heard.ts'], (heard) => {
      this.#answers.shift()?.(heard)
    })
  }

  ask(question: 'reset' | 'report'): Promise<Heard> {
    this.#child.stdin?.write(`${question}\n`)
    return new Promise((resolve) => this.#answers.push(resolve))
  }

  /** Once nothing was announced for a while. */
  async quiet(calmMs: number): Promise<Heard> {
    for (let before = (await this.ask('report')).frames; ; ) {
      await sleep(calmMs)
      const heard = await this.ask('report')
      if (heard.frames === before) return heard
      before = heard.frames
    }
  }

  close(): void {
    this.#child.kill()
  }
}
