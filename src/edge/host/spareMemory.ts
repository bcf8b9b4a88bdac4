// Which memory is held and not in use? Pages of Node's own program that only the start went
// through, 25 MB of them, and what a burst of work left free between what is still in use.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { systemClock } from './clock.ts'
import { libc } from './packet/libc.ts'

type Mapping = { readonly from: number; readonly length: number }

/** MADV_DONTNEED: what is needed again is mapped again, from the cache of files. */
const notNeeded = 4

/** The start is over by then. */
const startedMs = 10_000
/** As often is looked how much is held, which takes a few microseconds. */
const lookMs = 15_000

/** After the start, and after every burst of work that left more behind, until it is aborted. */
export async function keepMemorySmall(signal: AbortSignal): Promise<void> {
  await systemClock.sleep(startedMs, signal)
  if (!signal.aborted) await releaseSpareMemory()
  for (const growth = new Growth(); ; ) {
    await systemClock.sleep(lookMs, signal)
    if (signal.aborted) return
    const heldBytes = residentBytes()
    if (heldBytes !== undefined && growth.isOver(heldBytes)) await releaseSpareMemory()
  }
}

/** undefined when it cannot be read, such as while no file can be opened. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

/** Has more come to be held than at first, and has that come to an end? */
export class Growth {
  #lastBytes = 0
  /** What had to stay the last time; undefined until it can be seen. */
  #leastBytes: number | undefined
  #looksLeft = settlingLooks

  /**
   * True twice for each growth, the start among them: when it ends, and when all is at rest. In
   * between much comes back with what is compiled and collected; what is in use then has to stay.
   */
  isOver(heldBytes: number): boolean {
    const isStill = heldBytes - this.#lastBytes < stillBytes
    this.#lastBytes = heldBytes
    this.#leastBytes = Math.min(this.#leastBytes ?? heldBytes, heldBytes)
    this.#looksLeft--
    if (!isStill || heldBytes - this.#leastBytes < worthBytes) return this.#looksLeft === 0
    this.#leastBytes = undefined
    this.#looksLeft = settlingLooks
    return true
  }
}

/** Until all is at rest: a minute. */
const settlingLooks = 4
/** From one look to the next. */
const stillBytes = 4 << 20
/** More than beats and collections of garbage move it up and down. */
const worthBytes = 8 << 20

/** Where that cannot be done, everything stays as it is. */
export async function releaseSpareMemory(): Promise<void> {
  try {
    const smaps = await readFile('/proc/self/smaps', 'utf8')
    const c = libc()
    for (const { from, length } of unchangedIn(smaps, process.execPath)) {
      c.madvise(from, length, notNeeded)
    }
    c.trimHeap()
  } catch {
    // Another system, or no koffi.
  }
}

/** The parts of a file that are as in the file: no page of them was written to, by whomever. */
export function unchangedIn(smaps: string, file: string): readonly Mapping[] {
  const found: Mapping[] = []
  for (const text of smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ \d+ +(.*)$/m.exec(text)
    // A page that was written to is anonymous, and may be swapped out.
    const isUnchanged = /^Anonymous: +0 kB$/m.test(text) && /^Swap: +0 kB$/m.test(text)
    if (head === null || head[3] !== file || !isUnchanged) continue
    const [from, to] = [Number.parseInt(head[1] ?? '', 16), Number.parseInt(head[2] ?? '', 16)]
    found.push({ from, length: to - from })
  }
  return found
}
