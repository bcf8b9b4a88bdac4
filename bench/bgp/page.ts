// How fast is BGP? Runs every measure of this folder, one after the other, or those that are named, keeps
// what each says, and writes docs/bench/bgp.md once there is something of all; `--kept` measures nothing.
// About 30 minutes on a quiet machine, none of them more than eleven, with root, ip, tcpdump, bird, frr and
// the GoBGP of test/bgp, after `npm run build`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { machine } from '../machine.ts'
import { keep, kept } from './kept.ts'
import { type Measure, sections } from './sections.ts'

const head = `# Figures: BGP

Made by \`node bench/bgp/page.ts\`, a measure at a time; below each stands when and where. Where the load is higher
than the number of cores, other work ran on the machine: take those times for upper limits.`
const output = fileURLToPath(new URL('../../docs/bench/bgp.md', import.meta.url))

/** What it printed, or why it has no figures: the others are measured all the same. */
async function shownBy({ script, args }: Measure): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, complained] = ['', '']
  child.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  child.stderr.on('data', (bytes) => {
    complained += String(bytes)
    process.stderr.write(bytes)
  })
  const [code] = await once(child, 'close')
  const text = shown(said)
  if (code === 0) return text
  const [why = `it ended with ${code}`] = /^.*Error: .*$/m.exec(complained) ?? []
  return `${text}\n\n**No more figures: the measure ended with an error** (\`${why.trim()}\`).`.trim()
}

/** A table as it is, lines as a list; the machine stands below. */
function shown(said: string): string {
  const lines = said.split('\n').filter((line) => line !== '' && !/, Node v\d/.test(line))
  const isTable = lines.some((line) => line.startsWith('|'))
  return lines.map((line) => (isTable ? line : `- ${line}`)).join('\n')
}

const asked = process.argv.slice(2)
const names = sections.flatMap(({ measures }) => measures.map(({ name }) => name))
const unknown = asked.find((name) => name !== '--kept' && !names.includes(name))
if (unknown !== undefined) throw new Error(`there is no measure ${unknown}: ${names.join(', ')}`)

for (const measure of sections.flatMap(({ measures }) => measures)) {
  if (asked.length > 0 && !asked.includes(measure.name)) continue
  const from = machine()
  const text = await shownBy(measure)
  process.stdout.write(`${measure.name}: ${from}\n${text}\n`)
  keep(measure.name, `${text}\n\n${from}`)
}

const missing = names.filter((name) => kept(name) === undefined)
if (missing.length > 0) {
  process.stdout.write(`docs/bench/bgp.md is as it was. Not measured yet: ${missing.join(', ')}\n`)
} else {
  const parts = sections.map(({ title, intro, measures, notes }) =>
    [`## ${title}`, intro, ...measures.map(({ name }) => kept(name) ?? ''), notes]
      .filter((text) => text !== '')
      .join('\n\n'),
  )
  writeFileSync(output, `${[head, ...parts].join('\n\n')}\n`)
}
