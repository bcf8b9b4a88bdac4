// How does a peer of a ConfigMap become a BGPPeer (M8.2)? Times are in whole seconds, as Go writes
// them.
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'
import { decodeDuration } from '../../../edge/kube/decode/decodeDuration.ts'
import type { Fields } from '../../../edge/kube/decode/fields.ts'
import { goDuration } from './goDuration.ts'
import { nameOf } from './legacyNames.ts'

const defaultHoldSeconds = 90

/** Fields in alphabetical order, as the converter writes them, without empty ones. */
export function peerSpec(peer: Fields): Parsed<object> {
  const profile = peer.text('bfd-profile')
  const hold = holdSeconds(peer.text('hold-time'))
  if (!hold.ok) return hold
  const keepalive = secondsOf(peer.text('keepalive-time'))
  if (!keepalive.ok) return refused(`keepalive time: ${keepalive.why}`)
  return parsed(
    present({
      bfdProfile: profile === '' ? '' : nameOf(profile),
      ebgpMultiHop: peer.flag('ebgp-multihop'),
      holdTime: goDuration(hold.value),
      keepaliveTime: keepalive.value === undefined ? '' : goDuration(keepalive.value),
      myASN: peer.number('my-asn') ?? 0,
      nodeSelectors: peer.each('node-selectors').map(selectorOf),
      password: peer.text('password'),
      peerASN: peer.number('peer-asn') ?? 0,
      peerAddress: peer.text('peer-address'),
      peerPort: peer.number('peer-port') || undefined,
      routerID: peer.text('router-id'),
      sourceAddress: peer.text('source-address'),
    }),
  )
}

function selectorOf(selector: Fields): object {
  const matchLabels = { ...selector.labels('match-labels') }
  const matchExpressions = selector.each('match-expressions').map((one) => ({
    key: one.text('key'),
    operator: one.text('operator'),
    ...present({ values: one.texts('values') }),
  }))
  const hasLabels = Object.keys(matchLabels).length > 0
  return { ...present({ matchExpressions }), ...(hasLabels ? { matchLabels } : {}) }
}

/** Without empty, false or absent values, which MetalLB's converter does not write. */
export function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isThere = (value: unknown): boolean =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '' && value !== false
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isThere(value)))
}

function holdSeconds(text: string): Parsed<number> {
  const hold = secondsOf(text)
  if (!hold.ok) return refused(`hold time: ${hold.why}`)
  const seconds = hold.value ?? defaultHoldSeconds
  const isShort = seconds !== 0 && seconds < 3
  return isShort
    ? refused(`hold time ${JSON.stringify(text)} must be 0 or at least 3s`)
    : parsed(seconds)
}

function secondsOf(text: string): Parsed<number | undefined> {
  if (text === '') return parsed(undefined)
  const ms = decodeDuration(text)
  return ms.ok ? parsed(Math.trunc(ms.value / 1000)) : ms
}
