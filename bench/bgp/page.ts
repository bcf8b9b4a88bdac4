// How fast is BGP? Runs every measure of this folder, one after the other, and writes docs/bench/bgp.md;
// with names as arguments, runs only those and prints. About 80 minutes on a quiet machine, with root, ip,
// tcpdump, bird, frr and the GoBGP of test/bgp, after `npm run build`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { machine } from '../machine.ts'
import { type Measure, sections } from './sections.ts'

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

/** A table as it is, lines as a list; the machine stands at the top of the page. */
function shown(said: string): string {
  const lines = said.split('\n').filter((line) => line !== '' && !/, Node v\d/.test(line))
  const isTable = lines.some((line) => line.startsWith('|'))
  return lines.map((line) => (isTable ? line : `- ${line}`)).join('\n')
}

const asked = process.argv.slice(2)
const names = sections.flatMap(({ measures }) => measures.map(({ name }) => name))
const unknown = asked.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`there is no measure ${unknown}: ${names.join(', ')}`)

const parts = [`# Figures: BGP\n\n${machine()} Made by \`node bench/bgp/page.ts\`.`]
for (const { title, intro, measures, notes } of sections) {
  const found: string[] = []
  for (const measure of measures) {
    if (asked.length === 0 || asked.includes(measure.name)) found.push(await shownBy(measure))
  }
  if (found.length === 0) continue
  parts.push([`## ${title}`, intro, ...found, notes].filter((text) => text !== '').join('\n\n'))
}
const text = `${parts.join('\n\n')}\n`
if (asked.length === 0) writeFileSync(output, text)
process.stdout.write(text)
