// What does the same page show now? Read and shown again until the user ends it.
import { counted } from '../../../core/net/counted.ts'
import { systemClock } from '../../../edge/host/clock.ts'
import type { Exit, Io } from '../io.ts'
import { visibleLines } from '../visible.ts'

/** To the upper left, and nothing is left below. */
const cleared = '\u001b[H\u001b[2J'

/** A page that cannot be read says why, and the next one is tried all the same. */
export async function watched(
  io: Io,
  read: (io: Io) => Promise<Exit>,
  everyMs = 2_000,
): Promise<Exit> {
  const { signal, isTerminal } = io
  const write = io.painted ?? io.out
  while (!signal.aborted) {
    const beganMs = systemClock.nowMs()
    const page: string[] = []
    const plain = (text: string) => page.push(visibleLines(text))
    await read({ ...io, out: plain, err: plain, painted: (text) => page.push(text) })
    if (signal.aborted) break
    write(isTerminal ? `${cleared}${fitting(page.join(''), io)}` : `${page.join('')}\n`)
    // A cluster that takes long to read is asked less often.
    const tookMs = systemClock.nowMs() - beganMs
    await systemClock.sleep(Math.max(everyMs, 4 * tookMs), signal)
  }
  return 0
}

/** Its beginning, where the worst is told: the end would push that off the screen. */
function fitting(page: string, { screen }: Io): string {
  const { rows, columns } = screen?.() ?? { rows: Number.POSITIVE_INFINITY, columns: 1 }
  const lines = page.trimEnd().split('\n')
  const rowsOf = (line: string) => Math.max(1, Math.ceil(unpainted(line).length / columns))
  const needed = lines.reduce((sum, line) => sum + rowsOf(line), 0)
  // The cursor stands in the row after the last.
  if (needed < rows) return page
  let left = rows - 2
  const end = lines.findIndex((line) => {
    left -= rowsOf(line)
    return left < 0
  })
  const more = `... ${counted(lines.length - end, 'more line')}: make the terminal taller`
  return [...lines.slice(0, end), more.slice(0, columns), ''].join('\n')
}

const unpainted = (line: string): string =>
  line
    .split('\u001b[')
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf('m') + 1)))
    .join('')
