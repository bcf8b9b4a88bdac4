// Which datagrams do we accept? Those sealed with a shared key, AES-256-GCM, each one once.
//   | "Be" |version|kind|  key hint  |    sender    |      to      |   counter    | sealed | tag |
//   |  2   |   1   |  1 |     4      |      8       |      8       |      8       |  any   | 16  |
// Each process draws its sender number at random and has a key of its own (sealingKey.ts), under
// which its counter is the nonce: no nonce repeats under one key, not even after a restart.
// The whole header is authenticated. Counters of known senders are checked against a window.
//
// An unknown sender could be a recording of a process that has ended. So it is sent a greeting, and
// is accepted once it answers with `to` set to our own sender number, which no earlier recording
// can contain. All other messages have 0 there and are for everyone. This requires neither a
// correct clock nor state that survives a restart.
import { type KeyObject, randomBytes } from 'node:crypto'
import { nonceBytes, opened, sealed, tagBytes, type Use } from './gcm.ts'
import { SealingBudget } from './sealingBudget.ts'
import type { KeyRing, SealingKey } from './sealingKey.ts'
import { SealingWindow } from './sealingWindow.ts'

type Opened = {
  /** Absent if there is nothing to accept; a rejected message is counted. */
  readonly payload?: Uint8Array
  /** To be sent back to where the message came from. */
  readonly reply?: Uint8Array
  /** The sender had not heard us before, and does from now on. */
  readonly isGreeting?: true
}

export type SealingCounts = Record<
  'malformed' | 'wrongKey' | 'replayed' | 'strangers' | 'unread',
  number
>

const [magic, version] = [0x4265, 1]
const everybody = 0n
const nothing = new Uint8Array()
const kinds = { message: 0, greeting: 1, answer: 2 } as const
const headerBytes = 32
const at = { hint: 4, sender: 8, to: 16, counter: 24 } as const
/** More than there are speakers; above it, the half that was silent longest is forgotten. */
const mostSenders = 1024
/**
 * Anyone who sees the key hint can invent senders, and each one costs a key derivation. This limit
 * keeps that to about one percent of our time. Known senders are not affected.
 */
const strangersPerSecond = 500

type SenderId = bigint
type Kind = (typeof kinds)[keyof typeof kinds]
type Header = {
  readonly kind: number
  readonly key: SealingKey
  readonly sender: SenderId
  readonly to: SenderId
  readonly counter: number
}
type Sender = { readonly window: SealingWindow; readonly keys: SenderKeys; heardAt: number }

export class Sealer {
  readonly counts: SealingCounts = {
    malformed: 0,
    wrongKey: 0,
    replayed: 0,
    strangers: 0,
    unread: 0,
  }
  readonly #nowMs: () => number
  readonly #budget: SealingBudget
  readonly #senders = new Map<SenderId, Sender>()
  #keys: KeyRing
  #ownKeys = new SenderKeys(randomId())
  /** The header of a message to everyone, with the counter of the last one. */
  #header: Buffer
  #counter = 0

  constructor(keys: KeyRing, nowMs: () => number) {
    this.#keys = keys
    this.#nowMs = nowMs
    this.#budget = new SealingBudget(strangersPerSecond, nowMs)
    this.#header = headerOf(keys, this.#ownKeys)
  }

  use(keys: KeyRing): void {
    this.#keys = keys
    this.#header = headerOf(keys, this.#ownKeys)
  }

  /** One sealed message serves any number of receivers. */
  seal(payload: Uint8Array): Uint8Array {
    return this.#seal(kinds.message, everybody, payload)
  }

  open(bytes: Uint8Array): Opened {
    const header = this.#read(bytes)
    // Our own messages return if a list of members names us too.
    if (!header || header.sender === this.#ownKeys.sender) return {}
    const known = this.#senders.get(header.sender)
    if (!known && !this.#budget.take()) {
      this.counts.unread++
      return {}
    }
    const keys = known?.keys ?? new SenderKeys(header.sender)
    const payload = opened(useOf(keys.under(header.key), header.counter), bytes, headerBytes)
    if (!payload) {
      this.counts.wrongKey++
      return {}
    }
    if (header.to === this.#ownKeys.sender)
      return this.#meet(header, known ?? firstOf(header, keys))
    if (!known && header.kind === kinds.message) return this.#greet(header)
    return known && header.to === everybody ? this.#hear(header, known, payload) : {}
  }

  #hear(header: Header, known: Sender, payload: Uint8Array): Opened {
    return this.#isNew(header, known) ? { payload } : {}
  }

  /** A sender that names our number is alive, not a recording. */
  #meet(header: Header, sender: Sender): Opened {
    if (!this.#isNew(header, sender) || header.kind !== kinds.greeting) return {}
    return { isGreeting: true, reply: this.#seal(kinds.answer, header.sender) }
  }

  #greet({ sender }: Header): Opened {
    this.counts.strangers++
    return { reply: this.#seal(kinds.greeting, sender) }
  }

  #isNew({ sender, counter }: Header, known: Sender): boolean {
    if (!known.window.isNew(counter)) {
      this.counts.replayed++
      return false
    }
    known.heardAt = this.#nowMs()
    if (!this.#senders.has(sender)) this.#remember(sender, known)
    return true
  }

  /**
   * A forgotten sender could be replayed, because its answer names our number. So we draw a new
   * number whenever we forget senders, and it must answer again. Remembered senders are not
   * affected.
   */
  #remember(id: SenderId, sender: Sender): void {
    this.#senders.set(id, sender)
    if (this.#senders.size <= mostSenders) return
    const byAge = [...this.#senders].sort(([, one], [, other]) => one.heardAt - other.heardAt)
    for (const [eldest] of byAge.slice(0, mostSenders / 2)) this.#senders.delete(eldest)
    this.#ownKeys = new SenderKeys(randomId())
    this.#header = headerOf(this.#keys, this.#ownKeys)
    this.#counter = 0
  }

  #seal(kind: Kind, to: SenderId, payload: Uint8Array = nothing): Uint8Array {
    const [key] = this.#keys
    const counter = ++this.#counter
    const header = kind === kinds.message ? this.#header : this.#headerTo(kind, to)
    writeCounter(header, counter, at.counter)
    return sealed(useOf(this.#ownKeys.under(key), counter), header, payload)
  }

  #headerTo(kind: Kind, to: SenderId): Buffer {
    const header = Buffer.from(this.#header)
    header.writeUInt8(kind, 3)
    header.writeBigUInt64BE(to, at.to)
    return header
  }

  #read(bytes: Uint8Array): Header | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const isOurs =
      bytes.length >= headerBytes + tagBytes &&
      view.getUint16(0) === magic &&
      view.getUint8(2) === version
    const counter = isOurs ? counterIn(view) : Number.NaN
    const isFromNobody = isOurs && view.getBigUint64(at.sender) === everybody
    if (!Number.isSafeInteger(counter) || isFromNobody) {
      this.counts.malformed++
      return undefined
    }
    const hint = view.getUint32(at.hint)
    const key = this.#keys.find((key) => key.hint === hint)
    if (!key) {
      this.counts.wrongKey++
      return undefined
    }
    const [sender, to] = [view.getBigUint64(at.sender), view.getBigUint64(at.to)]
    return { kind: view.getUint8(3), key, sender, to, counter }
  }
}

/** The keys of one sender, each derived once. */
class SenderKeys {
  readonly sender: SenderId
  readonly #known = new WeakMap<SealingKey, KeyObject>()

  constructor(sender: SenderId) {
    this.sender = sender
  }

  under(key: SealingKey): KeyObject {
    const known = this.#known.get(key)
    if (known) return known
    const derived = key.ofSender(this.sender)
    this.#known.set(key, derived)
    return derived
  }
}

function headerOf([{ hint }]: KeyRing, { sender }: SenderKeys): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(magic, 0)
  header.writeUInt8(version, 2)
  header.writeUInt8(kinds.message, 3)
  header.writeUInt32BE(hint, at.hint)
  header.writeBigUInt64BE(sender, at.sender)
  header.writeBigUInt64BE(everybody, at.to)
  return header
}

function randomId(): SenderId {
  const id = randomBytes(8).readBigUInt64BE()
  return id === everybody ? randomId() : id
}

const firstOf = ({ counter }: Header, keys: SenderKeys): Sender => ({
  window: new SealingWindow(counter),
  keys,
  heardAt: 0,
})

const word = 2 ** 32
const counterIn = (view: DataView): number =>
  view.getUint32(at.counter) * word + view.getUint32(at.counter + 4)

/** In two halves: a BigInt would be allocated for each message. */
function writeCounter(bytes: Buffer, counter: number, from: number): void {
  bytes.writeUInt32BE(Math.floor(counter / word), from)
  bytes.writeUInt32BE(counter % word, from + 4)
}

/** Shared: every use ends before the next one begins. */
const nonce = Buffer.alloc(nonceBytes)
function useOf(key: KeyObject, counter: number): Use {
  writeCounter(nonce, counter, 4)
  return { key, nonce }
}
