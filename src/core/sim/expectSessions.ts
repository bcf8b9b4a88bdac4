// Do nodes open the BGP sessions that a step expects?
import { sessionFieldsOf } from '../policy/announce/sessionFields.ts'
import { type SessionOnNode, sessionsWith } from './bgpSessions.ts'
import type { Miss } from './runScenario.ts'
import type { Expectation, SessionExpectation } from './scenario.ts'
import type { Look } from './scenarioCluster.ts'

/** By peer and node, what makes the session: as text, because a look changes with its cluster. */
type SessionTexts = ReadonlyMap<string, string>

const peersIn = ({ sessions = [] }: Expectation): readonly string[] => [
  ...new Set(sessions.map(({ peer }) => peer)),
]

/** Of the peers that the step names. */
export const sessionTexts = ({ world, speakers }: Look, expect: Expectation): SessionTexts =>
  new Map(
    peersIn(expect).flatMap((peer) =>
      sessionsWith(world, speakers, peer).map((one) => [keyOf(peer, one), textOf(one)] as const),
    ),
  )

export function checkSessions(look: Look, before: SessionTexts, expect: Expectation): Miss[] {
  return peersIn(expect).flatMap((peer) => {
    const wanted = (expect.sessions ?? []).filter((one) => one.peer === peer && one.none !== true)
    const found = sessionsWith(look.world, look.speakers, peer)
    const fits = (entry: SessionExpectation, one: SessionOnNode): boolean =>
      isMeant(entry, one) && (entry.same !== true || before.get(keyOf(peer, one)) === textOf(one))
    const isThere = (entry: SessionExpectation): boolean =>
      (entry.nodes ?? [undefined]).every((node) =>
        found.some((one) => fits(entry, one) && (node === undefined || node === one.node)),
      )
    const isExact =
      wanted.every(isThere) &&
      found.every((one) => 'lacking' in one || wanted.some((entry) => fits(entry, one)))
    const [path, actual] = [`sessions.${peer}`, found.map(shown)]
    return isExact ? [] : [{ path, expected: wanted, actual }]
  })
}

function isMeant(entry: SessionExpectation, one: SessionOnNode): boolean {
  if (entry.nodes?.includes(one.node) === false) return false
  if ('lacking' in one) return one.lacking.some(({ code }) => code === entry.problem)
  const fields = ['peerAddress', 'peerASN', 'myASN'] as const
  return (
    entry.problem === undefined &&
    fields.every((field) => entry[field] === undefined || entry[field] === one.peer[field])
  )
}

const keyOf = (peer: string, { node }: SessionOnNode): string => `${peer} ${node}`

const textOf = (one: SessionOnNode): string =>
  'lacking' in one ? '' : JSON.stringify(sessionFieldsOf(one.peer))

function shown(one: SessionOnNode): object {
  const { node } = one
  if ('lacking' in one) return { node, problem: one.lacking[0]?.code }
  const { peerAddress, peerASN, myASN } = one.peer
  return { node, peerAddress, peerASN, myASN }
}
