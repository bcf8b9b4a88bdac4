// How is something done later, unless it is called off?
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** Again and again. */
export function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}
