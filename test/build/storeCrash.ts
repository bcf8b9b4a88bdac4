// Does a store keep what it acknowledged? A process that writes is killed again and again, at moments
// that a seed chooses; after each the file is opened and compared with what the process had told.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import { randomFrom } from './random.ts'
import { textOf } from './storedObjects.ts'
import type { Ack, Written } from './storeWriter.ts'

type State = Map<string, { readonly revision: number; readonly text: string }>
export type Killed = { readonly acknowledged: number; readonly revision: number }

/** Throws what was lost, half there or made up. */
export async function killAgainAndAgain(
  folder: string,
  { seed, kills }: { seed: number; kills: number },
): Promise<Killed> {
  const random = randomFrom(seed)
  let known: State = new Map()
  let acknowledged = 0
  let revision = 0
  for (let round = 0; round < kills; round++) {
    const seedOfRound = Math.floor(random() * 2 ** 31)
    const acks = await writeUntilKilled(folder, seedOfRound)
    for (const { key, revision, text } of acks) {
      if (text === undefined) known.delete(key)
      else known.set(key, { revision, text })
    }
    acknowledged += acks.length
    const last = acks.at(-1)?.revision ?? revision
    const found = read(folder)
    const wrong = compare(known, { ...found, last })
    if (wrong.length > 0) throw new Error(`seed ${seed}, kill ${round}: ${wrong.join('; ')}`)
    known = found.state
    revision = found.revision
  }
  return { acknowledged, revision }
}

/** After so many answers or so much time, whichever is first: now and then while it starts. */
function writeUntilKilled(folder: string, seed: number): Promise<readonly Ack[]> {
  const random = randomFrom(seed)
  const most = Math.floor(random() ** 2 * 2000)
  const program = join(import.meta.dirname, 'storeWriter.ts')
  const child = spawn(process.execPath, [program, folder, `${seed}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [isEarly, lastsMs] = [random() < 0.2, 20 + random() * 1500]
  let timer: NodeJS.Timeout | undefined
  const killLater = (ms: number): void => {
    timer ??= setTimeout(() => child.kill('SIGKILL'), ms)
  }
  if (isEarly) killLater(lastsMs / 5)
  const acks: Ack[] = []
  createInterface(child.stdout).on('line', (line) => {
    // A machine that is busy may take long to get there.
    if (line === 'open') killLater(lastsMs)
    const said = lineOf(line)
    if (said !== undefined) acks.push(said)
    if (acks.length >= most) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') resolve(acks)
      else reject(new Error(`the writer ended by itself with ${code ?? signal}`))
    })
  })
}

/** The last line may be cut off: then it was not told. */
function lineOf(line: string): Ack | undefined {
  return line.endsWith('#') ? JSON.parse(line.slice(0, -1)) : undefined
}

type ReadState = { readonly state: State; readonly revision: number }

function read(folder: string): ReadState {
  const objects = Objects.open(folder)
  try {
    const page = objects.list({ resource: 'services' })
    if (typeof page === 'string') throw new Error(page)
    const rows = page.items.map((one) => {
      const { namespace, name, revision } = one
      return [`${namespace}/${name}`, { revision, text: textOf(one) }] as const
    })
    return { state: new Map(rows), revision: objects.revision }
  } finally {
    objects.close()
  }
}

/** What is newer than the last answer may be there or not, but whole. */
function compare(known: State, { state, revision, last }: ReadState & { last: number }): string[] {
  const wrong: string[] = []
  if (revision < last) wrong.push(`at revision ${revision}, ${last} was acknowledged`)
  for (const [key, { revision: at, text }] of state) {
    const written: Written = JSON.parse(text)
    if (written.key !== key || written.revision !== at) wrong.push(`${key} is mixed up`)
    if (written.last > revision) wrong.push(`${key} is there without its other half`)
    if (at <= last && known.get(key)?.text !== text) wrong.push(`${key} is not what it was`)
  }
  const lost = [...known.keys()].filter((key) => !state.has(key))
  if (lost.length > revision - last) wrong.push(`lost: ${lost.join(', ')}`)
  return wrong
}
