// Is it gone? What fellow members say of one member or one of its links, each as long as it counts.
import type { Timing } from './timing.ts'

const doubtMs = 60_000

type Voice = { isHeard: boolean; until: number }

export class Trial {
  readonly #voices = new Map<string, Voice>()
  /** When the accusations that stand began. */
  #openedAt: number | undefined
  /** It objected, and was accused again: while anybody hears it, only paths are broken. */
  #doubtUntil = Number.NEGATIVE_INFINITY

  get isOpen(): boolean {
    return this.#openedAt !== undefined
  }

  accuse(by: string, now: number, lastsMs: number): void {
    this.#openedAt ??= now
    this.#voices.set(by, { isHeard: false, until: now + lastsMs })
  }

  contradict(by: string, now: number, lastsMs: number): void {
    // Without an accusation there is nothing to contradict.
    if (this.#openedAt === undefined) return
    this.#voices.set(by, { isHeard: true, until: now + lastsMs })
  }

  isContradictedBy(by: string): boolean {
    return this.#voices.get(by)?.isHeard ?? false
  }

  close(): void {
    this.#openedAt = undefined
    this.#voices.clear()
  }

  /** The member itself says that it lives. */
  refuted(now: number): void {
    this.close()
    this.#doubtUntil = now + doubtMs
  }

  /** We slept: what was said meanwhile is still to be read, so nothing is judged before it is. */
  delay(now: number, lateMs: number): void {
    if (this.#openedAt !== undefined) this.#openedAt = now
    for (const voice of this.#voices.values()) voice.until += lateMs
  }

  /**
   * When a member counts as dead: more accuse it than hear it, and it had the time to
   * object; undefined while it is not. One alone, of several watchers, gives the others time too.
   * One that objected lately must be heard by nobody: else it would die and return for ever.
   */
  deadAt(now: number, watchers: number, { beatMs }: Timing): number | undefined {
    const { silent, heard } = this.#count(now)
    if (this.#openedAt === undefined || silent <= heard) return undefined
    if (heard > 0 && now < this.#doubtUntil) {
      this.#doubtUntil = now + doubtMs
      return undefined
    }
    const isAgreed = silent >= 2 || silent >= watchers
    return this.#openedAt + (isAgreed ? beatMs / 2 : beatMs)
  }

  /**
   * When a link counts as dead. It belongs to those that hear it: of a segment that fell
   * apart the larger part goes on, and when none is larger, both.
   */
  linkDeadAt(now: number, { beatMs }: Timing): number | undefined {
    const { silent, heard } = this.#count(now)
    if (this.#openedAt === undefined) return undefined
    if (heard > 0 && silent <= heard + 1) return undefined
    return this.#openedAt + beatMs
  }

  #count(now: number): { readonly silent: number; readonly heard: number } {
    let [silent, heard] = [0, 0]
    for (const [by, voice] of this.#voices) {
      if (voice.until < now) this.#voices.delete(by)
      else if (voice.isHeard) heard++
      else silent++
    }
    if (silent === 0) this.close()
    return { silent, heard }
  }
}
