// A process that writes to a store until it is killed and tells what was acknowledged, one line
// each: the other half of storeCrash.ts. Arguments: folder, seed.
import { writeSync } from 'node:fs'
import { Objects, type Transaction } from '../../src/edge/store/storage/objects.ts'
import { randomFrom } from './random.ts'
import { stored } from './storedObjects.ts'

/** `text` is undefined for a removal. */
export type Ack = { readonly key: string; readonly revision: number; readonly text?: string }

/** What each object says of itself, so that half an object, or half a decision, can be told. */
export type Written = { readonly key: string; readonly revision: number; readonly last: number }

const writers = 8
const [folder = '', seed = ''] = process.argv.slice(2)

/** Of all sizes: in a page with others, and over several. */
function put(tx: Transaction, key: string, { last, pad }: { last: number; pad: number }): Ack {
  const written: Written = { key, revision: tx.next, last }
  const text = JSON.stringify({ ...written, pad: 'x'.repeat(pad) })
  tx.put(stored(tx.next, key, { bytes: Buffer.from(text) }))
  return { key, revision: written.revision, text }
}

function decision(random: () => number): (tx: Transaction) => Ack[] {
  const key = () => `ns-${Math.floor(random() * 3)}/object-${Math.floor(random() * 60)}`
  const [one, other, what, pad] = [key(), key(), random(), Math.floor(random() ** 3 * 9000)]
  return (tx) => {
    const [namespace = '', name = ''] = one.split('/')
    const before = tx.get('services', namespace, name)
    if (what < 0.2 && before !== undefined) {
      const revision = tx.next
      tx.remove({ ...before, revision })
      return [{ key: one, revision }]
    }
    if (what > 0.8) {
      const last = tx.next + 1
      return [put(tx, one, { last, pad }), put(tx, other, { last, pad })]
    }
    return [put(tx, one, { last: tx.next, pad })]
  }
}

/** At once and whole; a pipe that is full for a moment is written to again. */
function say(text: string): void {
  let left = Buffer.from(text)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

async function write(objects: Objects, random: () => number): Promise<never> {
  for (;;) {
    const acks = await objects.write(decision(random))
    say(acks.map((ack) => `${JSON.stringify(ack)}#\n`).join(''))
  }
}

if (import.meta.main) {
  const objects = Objects.open(folder)
  say('open\n')
  const random = randomFrom(Number(seed))
  await Promise.all(Array.from({ length: writers }, () => write(objects, random)))
}
