// How are many changes combined into one piece of work? It starts a moment after the first change,
// runs again if others came meanwhile, and takes only a share of the time.

/** After long work, the pause is this many times as long. */
const restFactor = 4

export function gathered(work: () => Promise<void>, waitMs: number): () => void {
  let state: 'idle' | 'due' | 'again' = 'idle'
  let lastMs = 0
  const begin = async (): Promise<void> => {
    const begunMs = performance.now()
    state = 'due'
    await work()
    lastMs = performance.now() - begunMs
    const isAgain = isState('again')
    state = 'idle'
    if (isAgain) ask()
  }
  const isState = (wanted: typeof state): boolean => state === wanted
  function ask(): void {
    if (state !== 'idle') {
      state = 'again'
      return
    }
    state = 'due'
    setTimeout(() => void begin(), Math.max(waitMs, restFactor * lastMs))
  }
  return ask
}
