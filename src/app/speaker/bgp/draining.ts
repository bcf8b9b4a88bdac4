// How do routes leave a node that 'berth drain' empties? For a while routers are asked to prefer
// other nodes (RFC 8326), and then the routes are withdrawn: no packet meets a route that is gone.
import { drainValue } from '../../../core/model/node.ts'
import type { BgpAnnouncement } from '../../../core/policy/announce/advertiseBgp.ts'

type DrainingParts = {
  readonly waitMs: number
  readonly after: (ms: number, act: () => void) => () => void
  /** Called when it is time to withdraw the routes. */
  readonly over: () => void
}

const gracefulShutdown = '65535:0'

export class Draining {
  readonly #parts: DrainingParts
  #state: 'serving' | 'leaving' | 'gone' = 'serving'
  #cancel: () => void = () => undefined
  #finish: () => void = () => undefined
  #finished = Promise.resolve()

  constructor(parts: DrainingParts) {
    this.#parts = parts
  }

  get isLeaving(): boolean {
    return this.#state === 'leaving'
  }

  /** `label`: the value of the label that excludes the node, if it has one. */
  look(label: string | undefined, isAnnouncing: boolean): void {
    const isDrained = label === drainValue
    if (isDrained && this.#state !== 'serving') return
    this.#stop()
    if (label === undefined) this.#state = 'serving'
    else this.#state = isDrained && isAnnouncing ? this.#leave() : 'gone'
  }

  /** LOCAL_PREF counts on iBGP only, where it decides before anything else. */
  routesOf(routes: readonly BgpAnnouncement[]): readonly BgpAnnouncement[] {
    if (!this.isLeaving) return routes
    return routes.map((route) => {
      const communities = [...new Set([...route.communities, gracefulShutdown])].sort()
      return { ...route, localPref: 0, communities }
    })
  }

  /** Once routers have had the time that they were promised. */
  async finished(): Promise<void> {
    if (this.isLeaving) await this.#finished
  }

  #stop(): void {
    this.#cancel()
    this.#finish()
  }

  #leave(): 'leaving' {
    const { waitMs, after, over } = this.#parts
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#cancel = after(waitMs, () => {
      this.#state = 'gone'
      this.#finish()
      over()
    })
    return 'leaving'
  }
}
