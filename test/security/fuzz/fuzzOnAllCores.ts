// How many inputs does a decoder stand in a time? As many processes as there are cores, each with seeds
// of its own. What broke it is kept among the finds.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Plan, Ran } from './fuzz.ts'

const program = fileURLToPath(new URL('fuzzProgram.ts', import.meta.url))
const findsFile = new URL('finds.json', import.meta.url)
/** Far from the seeds of other decoders. */
const apart = 1_000_003

export async function fuzzOnAllCores(name: string, plan: Plan): Promise<Ran> {
  const cores = availableParallelism()
  const inputs = Math.ceil(plan.inputs / cores)
  const shares = Array.from({ length: cores }, (_, core) =>
    share(name, { ...plan, inputs, seed: plan.seed + apart * core }),
  )
  const ran = await Promise.all(shares)
  return {
    inputs: ran.reduce((sum, one) => sum + one.inputs, 0),
    taken: ran.reduce((sum, one) => sum + one.taken, 0),
  }
}

async function share(name: string, plan: Plan): Promise<Ran> {
  const child = spawn(process.execPath, [program, name, JSON.stringify(plan)])
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err = `${err}${chunk}`.slice(0, 1 << 20)
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...ended) => resolve(ended))
  })
  if (code === 0) return JSON.parse(out)
  keepFind(name, err)
  throw new Error(`${name}, ${JSON.stringify(plan)}, ended with ${signal ?? code}: ${err}`)
}

function keepFind(decoder: string, text: string): void {
  const hex = new RegExp(`Error: ${decoder}: ([0-9a-f]+): `).exec(text)?.[1]
  if (hex === undefined) return
  const finds: unknown[] = JSON.parse(readFileSync(findsFile, 'utf8'))
  writeFileSync(findsFile, `${JSON.stringify([...finds, { decoder, hex }], null, 2)}\n`)
}
