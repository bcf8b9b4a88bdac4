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
}

const page = 'docs/bench/soak.md'
const opening = '# Soak\n\nMade by `make soak`, with seeds that nobody has tried before.\n'

export function writePart(part: Part): void {
  const [first = opening, ...parts] = readFileSync(page, 'utf8').split(/^(?=## )/m)
  const text = `## ${part.heading}\n\n${partText(part)}`
  const others = parts.filter((other) => !other.startsWith(`## ${part.heading}\n`))
  const all = [...others.map((other) => other.trim()), text.trim()].sort()
  writeFileSync(page, `${[first.trim(), ...all].join('\n\n')}\n`)
}

function partText({ about, soaked }: Part): string {
  const date = new Date().toISOString().slice(0, 10)
  const rows = soaked.map(({ title, runs, seed, seconds, outcome }) => {
    const cells = [title, runs.toLocaleString('en'), seed, `${seconds.toFixed(0)} s`, outcome]
    return `| ${cells.join(' | ')} |`
  })
  const total = soaked.reduce((sum, { runs }) => sum + runs, 0).toLocaleString('en')
  const minutes = soaked.reduce((sum, { seconds }) => sum + seconds, 0) / 60
  const failures = soaked.filter(({ outcome }) => outcome !== 'held').length
  return `${date}, Node ${process.version}: ${total} in ${minutes.toFixed(1)} minutes, \
${failures} ${failures === 1 ? 'failure' : 'failures'}.

| what | times | seed | time | outcome |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

${about}`
}
