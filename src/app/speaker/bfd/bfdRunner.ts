// How does one BFD session run? It performs the effects of core/session/bfd: two sockets, which are
// opened anew while the session is not up, and two timers.

import { isSame } from '../../../core/model/sameView.ts'
import type {
  BfdEffect,
  BfdEvent,
  BfdTimer,
  BfdTimers,
  DownCause,
} from '../../../core/session/bfd/events.ts'
import { type BfdSession, detectMs, transmitMs } from '../../../core/session/bfd/intervals.ts'
import { newBfdSession, stepBfd } from '../../../core/session/bfd/session.ts'
import { type Control, decodeControl, encodeControl } from '../../../core/wire/bfd.ts'
import { decodeEcho, encodeEcho } from '../../../core/wire/bfdEcho.ts'
import type { EchoSocket, openBfdEcho } from '../../../edge/host/udp/bfdEchoSocket.ts'
import type { BfdSockets, openBfdSockets } from '../../../edge/host/udp/bfdSockets.ts'
import { Alarms } from '../alarms.ts'
import type { BfdPlan, BfdView } from './bfdMessages.ts'

type Down = { readonly cause: DownCause; readonly why: string }

type BfdMeans = {
  readonly nowMs: () => number
  readonly random: () => number
  readonly open: { readonly control: typeof openBfdSockets; readonly echo: typeof openBfdEcho }
  /** The state of the session has changed, or its trouble. */
  readonly changed: (view: BfdView, down?: Down) => void
}

/** Pause after the kernel has refused a socket. */
const reopenMs = 1_000
/** Several, since one may be lost. */
const [farewells, farewellMs] = [3, 20] as const
const mostDiscriminator = 0xffff_ffff

export class BfdRunner {
  readonly #means: BfdMeans
  readonly #alarms: Alarms<BfdTimer>
  readonly #counts = { received: 0, sent: 0, echoed: 0, echoes: 0, ups: 0, downs: 0 }
  #plan: BfdPlan
  #session: BfdSession
  #sockets: BfdSockets | undefined
  #echo: EchoSocket | undefined
  #reopening: NodeJS.Timeout | undefined
  #echoing: NodeJS.Timeout | undefined
  #trouble = ''
  #last: Control | undefined

  constructor(plan: BfdPlan, means: BfdMeans) {
    this.#plan = plan
    this.#means = means
    // Never zero, and not that of an earlier session with the peer.
    const discriminator = 1 + Math.floor(means.random() * (mostDiscriminator - 1))
    this.#echo = this.#openEcho(plan)
    this.#session = newBfdSession(this.#timers, discriminator)
    this.#alarms = new Alarms(means.nowMs, (timer) => this.#handle({ kind: 'timer', timer }))
    this.#open()
    this.#handle({ kind: 'start' })
  }

  get view(): BfdView {
    return {
      key: this.#plan.key,
      state: this.#session.state,
      remote: this.#session.remote?.state,
      trouble: this.#trouble,
      transmitMs: transmitMs(this.#session),
      detectMs: detectMs(this.#session),
      counts: { ...this.#counts },
    }
  }

  /** The same session, otherwise timed, or with echo packets. */
  replan(plan: BfdPlan): void {
    const isElsewhere = !isSame(plan.echo, this.#plan.echo)
    this.#plan = plan
    if (isElsewhere) this.#startEcho()
    else this.#retime()
  }

  /** Ends once the peer has been told that this is on purpose. */
  async stop(): Promise<void> {
    this.#handle({ kind: 'stop' })
    clearTimeout(this.#reopening)
    clearTimeout(this.#echoing)
    for (let left = farewells - 1; left > 0; left--) {
      await new Promise((resolve) => setTimeout(resolve, farewellMs))
      if (this.#last !== undefined) this.#send(this.#last)
    }
    this.#sockets?.close()
    this.#sockets = undefined
    this.#echo?.close()
    this.#echo = undefined
  }

  /** Without the socket there are no echo packets. */
  get #timers(): BfdTimers {
    const { timers } = this.#plan
    const echoMicros = this.#echo === undefined ? 0 : timers.echoMicros
    return { ...timers, echoMicros, echoRxMicros: this.#echo?.canLoop ? echoMicros : 0 }
  }

  #handle(event: BfdEvent): void {
    const before = this.#session.state
    const [session, effects] = stepBfd(this.#session, event)
    this.#session = session
    let down: Down | undefined
    for (const effect of effects) down = this.#perform(effect) ?? down
    if (session.state !== before) this.#means.changed(this.view, down)
  }

  #perform(effect: BfdEffect): Down | undefined {
    switch (effect.kind) {
      case 'send':
        this.#send(effect.packet)
        return undefined
      case 'arm':
        this.#alarms.arm(effect.timer, effect.ms)
        return undefined
      case 'armJittered': {
        const { timer, leastMs, mostMs } = effect
        // Anew: an interval that became shorter or longer begins with this packet.
        this.#alarms.disarm(timer)
        this.#alarms.arm(timer, leastMs + this.#means.random() * (mostMs - leastMs))
        return undefined
      }
      case 'sendEcho':
        this.#sendEcho()
        return undefined
      case 'disarm':
        this.#alarms.disarm(effect.timer)
        return undefined
      case 'up':
        this.#counts.ups++
        this.#trouble = ''
        return undefined
      case 'down':
        this.#counts.downs++
        this.#trouble = effect.why
        return effect
    }
  }

  #send(packet: Control): void {
    this.#last = packet
    if (this.#sockets === undefined) return
    const why = this.#sockets.send(encodeControl(packet))
    if (why === '') this.#counts.sent++
    // While it is up, only the detection time may end it.
    else if (this.#session.state === 'Down') this.#reopenLater(why)
  }

  #open(): void {
    try {
      this.#sockets = this.#means.open.control(this.#plan.target, this.#means.random, {
        received: (bytes) => this.#received(bytes),
        ended: (why) => this.#reopenLater(why),
      })
      this.#inTrouble('')
    } catch (error) {
      this.#reopenLater(error instanceof Error ? error.message : String(error))
    }
  }

  #received(bytes: Uint8Array): void {
    const packet = decodeControl(bytes)
    if (!packet.ok) return
    this.#counts.received++
    this.#handle({ kind: 'heard', packet: packet.value })
  }

  #openEcho({ echo, target }: BfdPlan): EchoSocket | undefined {
    if (echo === undefined) return undefined
    try {
      return this.#means.open.echo(echo, target.peer, {
        received: (frame) => this.#echoed(frame),
        ended: () => {
          this.#echo = undefined
          // Control packets go on, and say whether the peer is there.
          this.#retime()
          this.#echoLater()
        },
      })
    } catch {
      this.#echoLater()
      return undefined
    }
  }

  #sendEcho(): void {
    const address = this.#plan.echo?.address
    if (address === undefined || this.#echo === undefined) return
    const { discriminator } = this.#session
    const number = this.#counts.echoes
    const isSent = this.#echo.send((from, to) =>
      encodeEcho({ from, to, address, discriminator, number }),
    )
    if (isSent) this.#counts.echoes++
  }

  #echoed(frame: Uint8Array): void {
    const echo = decodeEcho(frame)
    if (echo === undefined || echo.address !== this.#plan.echo?.address) return
    if (echo.discriminator !== this.#session.discriminator) return
    this.#counts.echoed++
    this.#handle({ kind: 'echoed' })
  }

  #echoLater(): void {
    clearTimeout(this.#echoing)
    this.#echoing = setTimeout(() => this.#startEcho(), reopenMs)
  }

  #startEcho(): void {
    this.#echo?.close()
    this.#echo = this.#openEcho(this.#plan)
    this.#retime()
  }

  #retime(): void {
    this.#handle({ kind: 'retimed', timers: this.#timers })
  }

  #reopenLater(why: string): void {
    this.#sockets?.close()
    this.#sockets = undefined
    clearTimeout(this.#reopening)
    if (this.#session.state === 'AdminDown') return
    this.#reopening = setTimeout(() => this.#open(), reopenMs)
    this.#inTrouble(why)
  }

  #inTrouble(why: string): void {
    if (why === this.#trouble) return
    this.#trouble = why
    this.#means.changed(this.view)
  }
}
