import { expect, test } from 'vitest'
import { node, peer } from '../../../../test/build/announcing.ts'
import type { Peer } from '../../model/announcing.ts'
import { badSources, peerOnNode } from './peerOnNode.ts'
import { sessionTermsOf } from './sessionTerms.ts'

const annotated = (annotations: Readonly<Record<string, string>>, more: Partial<Peer> = {}) =>
  peer('tor', { annotations, ...more })

test.each([
  [{}, { isPassive: false, hasGtsm: false, bad: [] }],
  [{ 'berth.dev/passive': 'true' }, { isPassive: true, hasGtsm: false, bad: [] }],
  [{ 'berth.dev/gtsm': 'true' }, { isPassive: false, hasGtsm: true, bad: [] }],
  [{ 'berth.dev/gtsm': 'false' }, { isPassive: false, hasGtsm: false, bad: [] }],
])('[R8.20] [R8.21] %o', (annotations, terms) => {
  expect(sessionTermsOf(annotated(annotations))).toEqual(terms)
})

const bad: readonly (readonly [Readonly<Record<string, string>>, Partial<Peer>, string])[] = [
  [{ 'berth.dev/gtsm': 'yes' }, {}, '"yes" is neither true nor false'],
  [{ 'berth.dev/gtsm': 'true' }, { ebgpMultiHop: true }, 'it is for one hop'],
  [{ 'berth.dev/passive': 'true' }, { vrf: 'red' }, 'nobody listens in a VRF'],
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
