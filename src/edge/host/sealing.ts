// Who may speak to us, and is it new? Messages under a shared key, AES-256-GCM, each heard once.
//   | "Be" |version|kind|  key hint  |    sender    |      to      |   counter    | sealed | tag |
//   |  2   |   1   |  1 |     4      |      8       |      8       |      8       |  any   | 16  |
// Sender is drawn at random by each process, and every sender has a key of its own (sealingKey.ts)
// under which its counter is the nonce: none comes twice under one key, nor after a restart.
// The whole header is authenticated. Counters of a sender that we know are held against a window.
//
// A sender that we do not know could be a recording of a process that is gone. So it is sent a
// greeting, and is heard once it has answered: with `to`, the sender number that we drew ourselves,
// which no recording of an earlier time can hold. Everything else has 0 there and is for whoever
// gets it. That asks for no clock that is right, and for no state that survives.
import { randomBytes } from 'node:crypto'
import { nonceBytes, opened, sealed, tagBytes, type Use } from './gcm.ts'
import { SealingBudget } from './sealingBudget.ts'
import type { KeyRing, SealingKey } from './sealingKey.ts'
import { SealingWindow } from './sealingWindow.ts'

type Opened = {
  /** Absent when there is nothing to hear; where that is not in order, it is counted. */
  readonly payload?: Uint8Array
  /** To be sent to where the message came from. */
  readonly reply?: Uint8Array
  /** Whoever sent it has not heard us before, and does from now on. */
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
/** More than all that speak; above it the half that was silent longest is forgotten. */
const mostSenders = 1024
/**
 * Whoever sees the hint can make up senders, and each costs the derivation of a key: whatever
 * comes, that takes about a hundredth of our time at most. Whom we know is not in question.
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
  /** Of a message for everybody; its counter is that of the last one. */
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

  /** For as many receivers as there are. */
  seal(payload: Uint8Array): Uint8Array {
    return this.#seal(kinds.message, everybody, payload)
  }

  open(bytes: Uint8Array): Opened {
    const header = this.#read(bytes)
    // Our own come back where a list names us too.
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

  /** One that names us is there now, not a recording. */
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
   * Who is forgotten could be replayed, since its answer names us: we draw a new number with each
   * forgetting, so that it must answer anew. Those that are remembered are not in question.
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
  readonly #known = new WeakMap<SealingKey, Uint8Array>()

  constructor(sender: SenderId) {
    this.sender = sender
  }

  under(key: SealingKey): Uint8Array {
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

/** In two halves: a bigint would be made for each message. */
function writeCounter(bytes: Buffer, counter: number, from: number): void {
  bytes.writeUInt32BE(Math.floor(counter / word), from)
  bytes.writeUInt32BE(counter % word, from + 4)
}

/** One for all: whoever is handed it has read it when the call is over. */
const nonce = Buffer.alloc(nonceBytes)
function useOf(key: Uint8Array, counter: number): Use {
  writeCounter(nonce, counter, 4)
  return { key, nonce }
}
