// The key of the speakers is replaced while they run. The attacker holds the old key. Afterwards: no
// message was lost, in whatever order the nodes read the new keys, and the old key opens and seals
// nothing any more.
// Before: prevented.
import { expect, test } from 'vitest'
import { Sealer } from '../../src/edge/host/sealing.ts'
import { type KeyRing, parseKeys } from '../../src/edge/host/sealingKey.ts'
import { randomFrom } from '../build/random.ts'

function ring(...texts: readonly string[]): KeyRing {
  const keys = parseKeys(texts.map((text) => text.padEnd(16, '.')).join('\n'))
  if (!keys.ok) throw new Error(keys.why)
  return keys.value
}

const nodes = 8
const messages = 40
const steps = [ring('old', 'new'), ring('new', 'old'), ring('new')]

/** Who hears a stranger greets it, and is answered. */
function meet(one: Sealer, other: Sealer): void {
  const greeting = other.open(one.seal(new Uint8Array())).reply
  const answer = greeting && one.open(greeting).reply
  if (answer) other.open(answer)
}

test.each([1, 2])('seed %i', (seed) => {
  const random = randomFrom(seed)
  const sealers = Array.from({ length: nodes }, () => new Sealer(ring('old'), () => 0))
  for (const one of sealers) for (const other of sealers) if (one !== other) meet(one, other)
  const onTheWay: { readonly to: Sealer; readonly bytes: Uint8Array }[] = []
  let [sent, heard] = [0, 0]
  const arrive = (left: number): void => {
    while (onTheWay.length > left) {
      const at = Math.floor(random() * Math.min(onTheWay.length, 50))
      const [one] = onTheWay.splice(at, 1)
      if (one?.to.open(one.bytes).payload !== undefined) heard += 1
    }
  }
  const speak = (): void => {
    for (const from of sealers) {
      const bytes = from.seal(Uint8Array.of(1))
      for (const to of sealers) if (to !== from) onTheWay.push({ to, bytes })
      sent += nodes - 1
    }
    arrive(100)
  }
  for (const keys of steps) {
    for (const sealer of [...sealers].sort(() => random() - 0.5)) {
      sealer.use(keys)
      for (let count = 0; count < messages / nodes; count++) speak()
    }
    // Who rotates waits until all have read it.
    arrive(0)
  }
  expect(heard).toBe(sent)
  const thief = new Sealer(ring('old'), () => 0)
  for (const sealer of sealers) {
    expect(thief.open(sealer.seal(Uint8Array.of(1)))).toEqual({})
    expect(sealer.open(thief.seal(Uint8Array.of(1)))).toEqual({})
  }
})
