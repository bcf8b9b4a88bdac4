// How many requests may run at the same time? The rest wait in order.
import type { Deadline } from './deadline.ts'

type Gate = {
  /** Resolves once there is a slot; call `leave` once afterwards. */
  readonly enter: (deadline: Pick<Deadline, 'fault' | 'onOver'>) => Promise<void>
  readonly leave: () => void
}

export function newGate(most: number): Gate {
  const waiting = new Set<() => void>()
  let inside = 0

  return {
    async enter(deadline) {
      if (deadline.fault !== undefined) throw deadline.fault
      if (inside < most) {
        inside++
        return
      }
      await new Promise<void>((resolve, reject) => {
        const goIn = (): void => {
          waiting.delete(goIn)
          deadline.onOver(() => undefined)
          inside++
          resolve()
        }
        deadline.onOver((fault) => {
          waiting.delete(goIn)
          reject(fault)
        })
        waiting.add(goIn)
      })
    },
    leave() {
      inside--
      const [next] = waiting
      next?.()
    },
  }
}
