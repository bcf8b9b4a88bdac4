// Which whole messages has a connection brought? However the bytes were cut on their way; never
// more is kept than one message can be.
import { decodeHeader, headerBytes, type MessageType } from '../../wire/bgp/header.ts'
import type { Notice } from '../../wire/bgp/notice.ts'
import { Reader } from '../../wire/reader.ts'
import { Writer } from '../../wire/writer.ts'

export type Incoming =
  | { readonly kind: 'message'; readonly type: MessageType; readonly body: Uint8Array }
  | { readonly kind: 'garbage'; readonly notice: Notice }

type InboxParts = {
  /** Of the next message: what is delivered may change it. */
  readonly mostBytes: () => number
  readonly deliver: (incoming: Incoming) => void
}

export class Inbox {
  readonly #parts: InboxParts
  #kept: Uint8Array = new Uint8Array()
  #isBroken = false

  constructor(parts: InboxParts) {
    this.#parts = parts
  }

  /** After garbage nothing can be told apart any more, and nothing is delivered. */
  take(chunk: Uint8Array): void {
    if (this.#isBroken) return
    const { mostBytes, deliver } = this.#parts
    const all = this.#with(chunk)
    const r = new Reader(all)
    let read = 0
    while (r.left >= headerBytes) {
      const header = decodeHeader(r.bytes(headerBytes), mostBytes())
      if (!header.ok) {
        this.#isBroken = true
        this.#kept = new Uint8Array()
        deliver({ kind: 'garbage', notice: header.notice })
        return
      }
      const { type, lengthBytes } = header.value
      if (r.left < lengthBytes - headerBytes) break
      read += lengthBytes
      deliver({ kind: 'message', type, body: r.bytes(lengthBytes - headerBytes) })
    }
    const rest = new Reader(all, read)
    // A copy: what came in one piece may be large, and what is left of it is not.
    this.#kept = rest.bytes(rest.left).slice()
  }

  #with(chunk: Uint8Array): Uint8Array {
    if (this.#kept.length === 0) return chunk
    return new Writer(this.#kept.length + chunk.length).bytes(this.#kept).bytes(chunk).done()
  }
}
