// Which memory is held and not in use? Pages of Node's own program that only the start went
// through, 25 MB of them, and what a burst of work left free between what is still in use.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { systemClock } from './clock.ts'
import { libc } from './packet/libc.ts'

type Mapping = { readonly from: number; readonly length: number }

/** MADV_DONTNEED: what is needed again is mapped again, from the cache of files. */
const notNeeded = 4

/** What is in use comes back within seconds; to let it go takes a few milliseconds. */
const everyMs = 30_000
/** Reading the list takes hundreds of calls, and only a debugger makes it another one. */
const lookEvery = 20

/** Again and again until it is aborted: after the start, and after whatever work there was. */
export async function keepMemorySmall(signal: AbortSignal): Promise<void> {
  let unchanged: readonly Mapping[] = []
  for (let round = 0; ; round++) {
    const before = readsFromDisk()
    await systemClock.sleep(everyMs, signal)
    if (signal.aborted) return
    if (round % lookEvery === 0 || unchanged.length === 0) unchanged = await unchangedOfProgram()
    // Who is short of memory would have to read it again.
    if (readsFromDisk() === before) releaseSpareMemory(unchanged)
  }
}

const readsFromDisk = (): number => process.resourceUsage().majorPageFault

export async function unchangedOfProgram(): Promise<readonly Mapping[]> {
  // Another system has none.
  const smaps = await readFile('/proc/self/smaps', 'utf8').catch(() => '')
  return unchangedIn(smaps, process.execPath)
}

/** Where that cannot be done, everything stays as it is. */
export function releaseSpareMemory(unchanged: readonly Mapping[]): void {
  try {
    const c = libc()
    for (const { from, length } of unchanged) c.madvise(from, length, notNeeded)
    c.trimHeap()
  } catch {
    // There is no koffi.
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
