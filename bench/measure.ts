// What is one figure? The time of some work, its number of pieces, and the memory it took.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export type Time = {
  readonly ms: number
  /** CPU time of the deciding thread: on a shared machine, the rest is waiting. */
  readonly cpuMs: number
}
export type Figure = Time & { readonly what: string; readonly count: number }
export type Memory = { readonly peakRssMb: number; readonly heapMb: number }
/** `alive` is kept until the memory has been measured. */
export type Measured = { readonly figures: readonly Figure[]; readonly alive: unknown }

export function timed(work: () => void): Time {
  const [start, before] = [performance.now(), process.threadCpuUsage()]
  work()
  const { user, system } = process.threadCpuUsage(before)
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 }
}

export const sum = (one: Time, other: Time): Time => ({
  ms: one.ms + other.ms,
  cpuMs: one.cpuMs + other.cpuMs,
})

/** Heap in use after garbage collection, and the peak RSS. */
export function memoryNow(): Memory {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return {
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    heapMb: process.memoryUsage().heapUsed / 1024 / 1024,
  }
}
