// Which messages go out? Gathered while one event is handled; reports of one event go out together.
import type { Mac } from '../../net/mac.ts'
import type { Body, Endpoint, Message, PeerReport } from '../../wire/gossip/message.ts'
import { splitMessage } from '../../wire/gossip/size.ts'
import type { Effect } from './member.ts'
import type { Roster } from './roster.ts'

export class Outbox {
  readonly #roster: Roster
  #effects: Effect[] = []
  #reports: PeerReport[] = []
  #hasChanged = false

  constructor(roster: Roster) {
    this.#roster = roster
  }

  send(to: readonly Endpoint[], body: Body): void {
    if (to.length === 0) return
    for (const part of splitMessage(this.#said(body)))
      this.#effects.push({ kind: 'send', to, message: part })
  }

  sendOnLink(link: string, to: readonly Mac[], body: Body): void {
    if (to.length === 0) return
    this.#effects.push({ kind: 'sendOnLink', link, to, message: this.#said(body) })
  }

  /** To all that live, with the others of this event. */
  report(report: PeerReport): void {
    this.#reports.push(report)
  }

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  changed(): void {
    this.#roster.touch()
    this.#hasChanged = true
  }

  take(): readonly Effect[] {
    if (this.#reports.length > 0) {
      const reports = this.#reports
      this.#reports = []
      this.send(this.#roster.liveEndpoints, { kind: 'reports', reports })
    }
    if (this.#hasChanged) this.#effects.push({ kind: 'changed' })
    this.#hasChanged = false
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  #said(body: Body): Message {
    const { node, incarnation } = this.#roster.own.facts
    return { ...body, from: node, incarnation }
  }
}
