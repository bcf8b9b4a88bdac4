// What did the soak do? A page with a part for each file that soaks, which replaces its own alone.
import { readFileSync, writeFileSync } from 'node:fs'

export type Soaked = {
  readonly title: string
  readonly seed: number
  readonly runs: number
  readonly seconds: number
  /** `held`, or where it failed. */
  readonly outcome: string
}
export type Part = {
  readonly heading: string
  /** What a run is, and how to ask for more of them. */
  readonly about: string
  readonly soaked: readonly Soaked[]
  /** What was not run this time stays, with the day on which it was. */
  readonly keepsOthers?: boolean
}

const page = 'docs/bench/soak.md'
const opening = '# Soak\n\nMade by `make soak`, with seeds that nobody has tried before.\n'

export function writePart(part: Part): void {
  const [first = opening, ...parts] = readFileSync(page, 'utf8').split(/^(?=## )/m)
  const isThis = (text: string) => text.startsWith(`## ${part.heading}\n`)
  const before = part.keepsOthers ? rowsIn(parts.find(isThis) ?? '') : []
  const text = `## ${part.heading}\n\n${partText(part, before)}`
  const others = parts.filter((other) => !isThis(other))
  const all = [...others.map((other) => other.trim()), text.trim()].sort()
  writeFileSync(page, `${[first.trim(), ...all].join('\n\n')}\n`)
}

type Row = Soaked & { readonly day: string }

const rowPattern = /^\| (.+?) \| ([\d,]+) \| (\d+) \| (\d+) s \| (.+?) \| (\d{4}-\d\d-\d\d) \|$/gm

const rowsIn = (text: string): readonly Row[] =>
  [...text.matchAll(rowPattern)].map(([, title = '', runs = '', seed, seconds, ...rest]) => {
    const [outcome = '', day = ''] = rest
    const numbers = { runs: Number(runs.replaceAll(',', '')), seed: Number(seed) }
    return { title, ...numbers, seconds: Number(seconds), outcome, day }
  })

function partText({ about, soaked }: Part, before: readonly Row[]): string {
  const day = new Date().toISOString().slice(0, 10)
  const now = soaked.map((one) => ({ ...one, day }))
  const stays = before.filter(({ title }) => !now.some((one) => one.title === title))
  const all = [...stays, ...now]
  const rows = all.map(({ title, runs, seed, seconds, outcome, day }) => {
    const cells = [title, runs.toLocaleString('en'), seed, `${seconds.toFixed(0)} s`, outcome, day]
    return `| ${cells.join(' | ')} |`
  })
  const total = all.reduce((sum, { runs }) => sum + runs, 0).toLocaleString('en')
  const minutes = all.reduce((sum, { seconds }) => sum + seconds, 0) / 60
  const failures = all.filter(({ outcome }) => outcome !== 'held').length
  return `Node ${process.version}: ${total} in ${minutes.toFixed(1)} minutes, \
${failures} ${failures === 1 ? 'failure' : 'failures'}.

| what | times | seed | time | outcome | run on |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${about}`
}
