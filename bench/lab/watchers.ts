// How does the benchmark follow what the client sees? Two processes in the client, and their
// reports.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/kube/waits.ts'
import { listenIn } from './ground.ts'
import type { Heard } from './heard.ts'
import type { Beat } from './pulse.ts'

export type Moved = Extract<Beat, { readonly kind: 'moved' }>

/** The echo, answer by answer. */
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

  /** The node that answers, once it is stable and accepted by `isMeant`. */
  steady(calmMs: number, isMeant: (node: string) => boolean = () => true): Promise<string> {
    return until(
      'a stable answering node',
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

/** The announcements on the LAN. */
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

  /** Resolves once nothing was announced for a while. */
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
