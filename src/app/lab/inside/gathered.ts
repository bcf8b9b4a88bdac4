// How do many changes make one piece of work? It begins a moment after the first of them, and once
// more when others came while it was under way; it takes no more than a part of the time.

/** After work that took long, this many times as long is waited. */
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
