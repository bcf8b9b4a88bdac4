// How many may be in at the same time? The rest wait in order.

export type Gate = {
  /** Ends once there is room; whoever got in calls the answer once to leave. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>
}

export function newGate(most: number): Gate {
  const waiting = new Set<() => void>()
  let inside = 0

  function leave(): void {
    inside--
    const [next] = waiting
    next?.()
  }

  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(goIn)
          reject(signal.reason)
        }
        const goIn = (): void => {
          waiting.delete(goIn)
          signal.removeEventListener('abort', giveUp)
          inside++
          resolve(leave)
        }
        if (signal.aborted) return giveUp()
        if (inside < most) return goIn()
        signal.addEventListener('abort', giveUp, { once: true })
        waiting.add(goIn)
      })
    },
  }
}
