import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Sealer } from './sealing.ts'
import { type KeyRing, parseKeys } from './sealingKey.ts'

function ring(...texts: readonly string[]): KeyRing {
  const keys = parseKeys(texts.map((text) => text.padEnd(16, '.')).join('\n'))
  if (!keys.ok) throw new Error(keys.why)
  return keys.value
}
const sealer = (...texts: readonly string[]) => new Sealer(ring(...texts), () => 0)
const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (payload: Uint8Array | undefined) => payload && new TextDecoder().decode(payload)

const none = new Uint8Array()

/** b challenges a, and a answers. */
function meet(a: Sealer, b: Sealer): void {
  const greeting = b.open(a.seal(bytes('hello'))).reply ?? none
  b.open(a.open(greeting).reply ?? none)
}

describe('first contact', () => {
  test('an unknown sender is challenged and ignored; once it answers, it is heard', () => {
    const [a, b] = [sealer('k'), sealer('k')]
    const { payload, reply = none } = b.open(a.seal(bytes('one')))
    expect(payload).toBeUndefined()
    const greeted = a.open(reply)
    expect(greeted.isGreeting).toBe(true)
    expect(b.open(greeted.reply ?? none)).toEqual({})
    expect(textOf(b.open(a.seal(bytes('two'))).payload)).toBe('two')
    expect(textOf(a.open(b.seal(bytes('three'))).payload)).toBe('three')
    expect(b.counts).toEqual({ malformed: 0, wrongKey: 0, replayed: 0, strangers: 1, unread: 0 })
  })

  test('messages recorded before a restart are never accepted after it', () => {
    const [old, before, now] = [sealer('k'), sealer('k'), sealer('k')]
    const hello = old.seal(bytes('hello'))
    const greeting = before.open(hello).reply ?? none
    const answer = old.open(greeting).reply ?? none
    const recorded = [hello, greeting, answer, old.seal(bytes('a')), before.seal(bytes('b'))]
    for (const message of [...recorded, ...recorded]) {
      expect(now.open(message).payload).toBeUndefined()
    }
  })

  test('a greeting or an answer is accepted once, and only by its addressee', () => {
    const [a, b, c] = [sealer('k'), sealer('k'), sealer('k')]
    const greeting = b.open(a.seal(bytes('hello'))).reply ?? none
    expect(c.open(greeting)).toEqual({})
    const answer = a.open(greeting).reply ?? none
    expect(a.open(greeting)).toEqual({})
    expect(c.open(answer)).toEqual({})
    meet(a, c)
    expect(c.open(answer)).toEqual({})
    b.open(answer)
    b.open(answer)
    expect([a.counts.replayed, b.counts.replayed, c.counts.replayed]).toEqual([1, 1, 0])
  })

  test('unknown senders are rate-limited without affecting known ones', () => {
    let now = 0
    const [a, friend] = [sealer('k'), sealer('k')]
    const b = new Sealer(ring('k'), () => now)
    meet(friend, b)
    const message = a.seal(bytes('again'))
    const replies = Array.from({ length: 3000 }, () => b.open(message).reply)
    expect(replies.filter((reply) => reply !== undefined)).toHaveLength(498)
    expect(textOf(b.open(friend.seal(bytes('here'))).payload)).toBe('here')
    expect(b.counts.unread).toBe(2502)
    now = 2
    expect(b.open(message).reply).toBeDefined()
    expect(b.open(message).reply).toBeUndefined()
  })

  test('invented senders are dropped undecrypted above the limit', () => {
    const [a, b] = [sealer('k'), sealer('k')]
    const forged = Uint8Array.from(a.seal(bytes('hello')))
    for (let sender = 0; sender < 1000; sender++) {
      forged.set([sender >> 8, sender & 255], 8)
      expect(b.open(forged)).toEqual({})
    }
    expect(b.counts).toMatchObject({ wrongKey: 500, unread: 500 })
  })

  test('above a thousand senders the oldest are forgotten and must answer again', () => {
    let now = 0
    const [a, b] = [sealer('k'), new Sealer(ring('k'), () => (now += 10))]
    const greeting = b.open(a.seal(bytes('hello'))).reply ?? none
    const recorded = [a.open(greeting).reply ?? none, a.seal(bytes('first'))]
    for (const message of recorded) b.open(message)
    let last = a
    for (let n = 0; n < 1024; n++) {
      last = sealer('k')
      meet(last, b)
    }
    for (const message of recorded) expect(b.open(message).payload).toBeUndefined()
    expect(b.counts.replayed).toBe(0)
    expect(textOf(b.open(last.seal(bytes('known'))).payload)).toBe('known')
    meet(a, b)
    expect(textOf(b.open(a.seal(bytes('anew'))).payload)).toBe('anew')
  })
})

test('every message is accepted once, in any order within the window', () => {
  const [a, b] = [sealer('k'), sealer('k')]
  meet(a, b)
  const sent = Array.from({ length: 100 }, (_, n) => a.seal(bytes(String(n))))
  const property = fc.property(fc.shuffledSubarray(sent), (order) => {
    for (const message of order) b.open(message)
    for (const message of order) expect(b.open(message).payload).toBeUndefined()
  })
  fc.assert(property, { numRuns: 20 })
  for (const message of sent) b.open(message)
  expect(b.open(sent[50] ?? none).payload).toBeUndefined()
})

test('key rotation (add, put first, drop) loses no message', () => {
  const [a, b] = [sealer('old'), sealer('old')]
  meet(a, b)
  const talk = () => {
    expect(textOf(b.open(a.seal(bytes('to b'))).payload)).toBe('to b')
    expect(textOf(a.open(b.seal(bytes('to a'))).payload)).toBe('to a')
  }
  for (const keys of [ring('old', 'new'), ring('new', 'old'), ring('new')]) {
    a.use(keys)
    talk()
    b.use(keys)
    talk()
  }
  expect(sealer('old').open(a.seal(bytes('secret'))).payload).toBeUndefined()
})

test('our own messages are ignored', () => {
  const a = sealer('k')
  expect(a.open(a.seal(bytes('hello')))).toEqual({})
  expect(a.counts.strangers).toBe(0)
})

test('a message under another key is counted and ignored', () => {
  const [a, b] = [sealer('k'), sealer('other')]
  expect(b.open(a.seal(bytes('hello')))).toEqual({})
  expect(b.counts.wrongKey).toBe(1)
})

test('no sender draws the number 0, which means everybody', () => {
  const b = sealer('k')
  const said = Buffer.from(sealer('k').seal(bytes('one')))
  said.fill(0, 8, 16)
  expect(b.open(said)).toEqual({})
  expect(b.counts.malformed).toBe(1)
})

test('a message with a flipped bit or a missing end is ignored', () => {
  const [a, b] = [sealer('k'), sealer('k')]
  meet(a, b)
  const message = a.seal(bytes('hello'))
  for (let bit = 0; bit < message.length * 8; bit++) {
    const turned = Uint8Array.from(message)
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(b.open(turned)).toEqual({})
  }
  for (let cut = 0; cut < message.length; cut++) {
    expect(b.open(message.subarray(0, cut))).toEqual({})
  }
  expect(textOf(b.open(message).payload)).toBe('hello')
})

test('no bytes throw', () => {
  const b = sealer('k')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (any) => b.open(any).payload === undefined),
  )
})
