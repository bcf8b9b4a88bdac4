import { expect, test } from 'vitest'
import { node, peer } from '../../../../test/build/announcing.ts'
import type { Peer } from '../../model/announcing.ts'
import { badSources, peerOnNode } from './peerOnNode.ts'
import { sessionTermsOf } from './sessionTerms.ts'

const annotated = (annotations: Readonly<Record<string, string>>, more: Partial<Peer> = {}) =>
  peer('tor', { annotations, ...more })

test.each([
  [{}, {}],
  [{ 'berth.dev/passive': 'true' }, { isPassive: true }],
  [{ 'berth.dev/gtsm': 'true' }, { hasGtsm: true }],
  [{ 'berth.dev/gtsm': 'false' }, {}],
  [{ 'berth.dev/long-lived-stale-seconds': '3600' }, { staleSeconds: 3600 }],
])('[R8.20] [R8.21] [R8.22] %o', (annotations, terms) => {
  const usual = { isPassive: false, hasGtsm: false, staleSeconds: undefined, bad: [] }
  const one = annotated(annotations, { enableGracefulRestart: true })
  expect(sessionTermsOf(one)).toEqual({ ...usual, ...terms })
})

const bad: readonly (readonly [Readonly<Record<string, string>>, Partial<Peer>, string])[] = [
  [{ 'berth.dev/gtsm': 'yes' }, {}, '"yes" is neither true nor false'],
  [{ 'berth.dev/gtsm': 'true' }, { ebgpMultiHop: true }, 'it limits the session to one hop'],
  [{ 'berth.dev/passive': 'true' }, { vrf: 'red' }, 'the speaker does not listen in a VRF'],
  [{ 'berth.dev/long-lived-stale-seconds': '60' }, {}, 'it adds to enableGracefulRestart'],
  [{ 'berth.dev/long-lived-stale-seconds': '16777216' }, {}, 'is not a number from 1 to'],
  [{ 'berth.dev/long-lived-stale-seconds': '1h' }, {}, '"1h" is not a number'],
]

test.each(bad)(
  '[R8.21] without what protects it there is no session: %o %o',
  (given, more, why) => {
    const one = annotated(given, more)
    expect(badSources(one)).toMatchObject([{ code: 'bad-annotation' }])
    expect(badSources(one)[0]?.message).toContain(why)
    expect(peerOnNode(one, node('node-1'), undefined)).toHaveProperty('lacking')
  },
)
