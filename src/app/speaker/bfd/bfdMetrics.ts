// What does BFD measure? MetalLB's figures under its names (M7.1), by peer and VRF.
import { counter, gauge } from '../../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../../edge/kube/serve/metricsText.ts'
import type { BfdView } from './bfdMessages.ts'

type Measured = Pick<BfdView, 'state' | 'counts'>

/** What is measured of a session, whoever has it. */
export type MeasuredBfd = {
  readonly plan: { readonly target: { readonly peer: string; readonly device: string } }
  readonly view: Measured | undefined
}

type Figure = (view: Measured) => number

const counters: Readonly<Record<string, readonly [help: string, figure: Figure]>> = {
  control_packet_input: ['Control packets received.', ({ counts }) => counts.received],
  control_packet_output: ['Control packets sent.', ({ counts }) => counts.sent],
  echo_packet_input: ['Echo packets that came back.', ({ counts }) => counts.echoed],
  echo_packet_output: ['Echo packets sent.', ({ counts }) => counts.echoes],
  session_up_events: ['How often the session came up.', ({ counts }) => counts.ups],
  session_down_events: ['How often it went down.', ({ counts }) => counts.downs],
  zebra_notifications: [
    'Changes that BGP was told of; in MetalLB, zebra.',
    ({ counts }) => counts.ups + counts.downs,
  ],
}

export function bfdMetrics(seen: readonly MeasuredBfd[]): Metric[] {
  const samples = (figure: Figure): Sample[] =>
    seen.map(({ plan, view }) => ({
      labels: { peer: plan.target.peer, vrf: plan.target.device },
      value: view === undefined ? 0 : figure(view),
    }))
  const isUp = gauge(
    'metallb_bfd_session_up',
    'Whether the session is up.',
    samples(({ state }) => Number(state === 'Up')),
  )
  const counted = Object.entries(counters).map(([name, [help, figure]]) =>
    counter(`metallb_bfd_${name}`, help, samples(figure)),
  )
  return [isUp, ...counted]
}
