// How much does a work look through? Each entry of a map or a set that it comes across is a step, so
// that growth shows without a clock.

/** Walks over maps and sets end to be optimized for the rest of the process: for tests only. */
export function stepsOf(work: () => void): number {
  let steps = 0
  const walks = [new Map().entries(), new Set().values()].map((one) => Object.getPrototypeOf(one))
  const originals = walks.map(({ next }) => next)
  for (const [at, walk] of walks.entries()) {
    walk.next = function next(this: unknown) {
      steps += 1
      return originals[at].call(this)
    }
  }
  try {
    work()
  } finally {
    for (const [at, walk] of walks.entries()) walk.next = originals[at]
  }
  return steps
}
