// What is one figure? The time of some work, in how many pieces, with what it took of memory.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export type Figure = { readonly what: string; readonly count: number; readonly ms: number }
export type Memory = { readonly peakRssMb: number; readonly heapMb: number }
/** `alive` is what the memory is measured with. */
export type Measured = { readonly figures: readonly Figure[]; readonly alive: unknown }

export function timed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** What is in use once the garbage is gone, and the most that the process ever had. */
export function memoryNow(): Memory {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return {
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    heapMb: process.memoryUsage().heapUsed / 1024 / 1024,
  }
}
