// Do announcements, objects and problems stand as a step expects?
import { includes, textAt } from '../model/json.ts'
import { type Announcement, advertise } from '../policy/announce/advertise.ts'
import { problems } from '../policy/problems.ts'
import { idOf } from './objects.ts'
import type { Miss } from './runScenario.ts'
import type { AnnouncementExpectation, Expectation } from './scenario.ts'
import type { Look } from './scenarioCluster.ts'

export function checkAnnouncements(look: Look, expect: Expectation): Miss[] {
  const { announcements = [], nodesCount = {} } = expect
  const announced = (service: string) => advertise(look.world, look.speakers, service).announcements
  const named = [...new Set(announcements.map(({ service }) => service))]
  const misses = named.flatMap((service) => {
    const wanted = announcements.filter((one) => one.service === service && one.none !== true)
    const actual = announced(service)
    const isExact =
      wanted.every((one) => isAnnounced(one, actual)) &&
      actual.every((one) => wanted.some((entry) => fits(entry, one)))
    return isExact ? [] : [{ path: `announcements.${service}`, expected: wanted, actual }]
  })
  const counts = Object.entries(nodesCount).flatMap(([service, expected]) => {
    const actual = new Set(announced(service).map(({ node }) => node)).size
    return actual === expected ? [] : [{ path: `nodesCount.${service}`, expected, actual }]
  })
  return [...misses, ...counts]
}

/** Every node and peer that the entry names must announce it; without names, somebody must. */
function isAnnounced(entry: AnnouncementExpectation, actual: readonly Announcement[]): boolean {
  const nodes = entry.nodes ?? [undefined]
  const peers = entry.peers ?? [undefined]
  return nodes.every((node) =>
    peers.every((peer) =>
      actual.some(
        (one) =>
          fits(entry, one) &&
          (node === undefined || one.node === node) &&
          (peer === undefined || (one.protocol === 'bgp' && one.peer === peer)),
      ),
    ),
  )
}

function fits(entry: AnnouncementExpectation, one: Announcement): boolean {
  if (entry.protocol !== one.protocol || entry.nodes?.includes(one.node) === false) return false
  if (one.protocol === 'layer2') {
    return entry.address === one.address && sameIfGiven(entry.interfaces, one.interfaces)
  }
  return (
    entry.prefix === one.prefix &&
    entry.peers?.includes(one.peer) !== false &&
    isIfGiven(entry.localPref, one.localPref ?? 'none') &&
    isIfGiven(entry.med, one.med ?? 'none') &&
    isIfGiven(entry.prepend, one.prepend ?? 0) &&
    isIfGiven(entry.endpoints, one.endpoints ?? 'none') &&
    sameIfGiven(entry.communities, one.communities)
  )
}

const isIfGiven = <T>(wanted: T | undefined, actual: T): boolean =>
  wanted === undefined || wanted === actual

const sameIfGiven = (wanted: readonly string[] | undefined, actual: readonly string[]): boolean =>
  wanted === undefined || [...wanted].sort().join(' ') === [...actual].sort().join(' ')

export function checkObjects(look: Look, expect: Expectation): Miss[] {
  const missing = (expect.resources ?? []).flatMap((wanted) => {
    const actual = look.get(idOf(wanted))
    return includes(actual, wanted)
      ? []
      : [{ path: `resources.${idOf(wanted)}`, expected: wanted, actual }]
  })
  const present = (expect.absent ?? []).flatMap((id) => {
    const actual = look.get(id)
    return actual === undefined ? [] : [{ path: `absent.${id}`, expected: 'absent', actual }]
  })
  return [...missing, ...present]
}

export function checkProblems(look: Look, expect: Expectation): Miss[] {
  const { problems: wanted = [], noProblems = [] } = expect
  if (wanted.length + noProblems.length === 0) return []
  const found = problems(look.world, look.speakers)
  const matching = (one: { code: string; object?: string }) =>
    found.filter(({ code, object }) => code === one.code && (one.object ?? object) === object)
  const actual = found.map((problem) => `${problem.code} ${problem.object}`)
  return [
    ...wanted
      .filter((one) => matching(one).length === 0)
      .map((expected) => ({ path: 'problems', expected, actual })),
    ...noProblems
      .filter((one) => matching(one).length > 0)
      .map((one) => ({ path: 'noProblems', expected: one, actual: matching(one).map(textOf) })),
  ]
}

const textOf = (problem: object): string =>
  `${textAt(problem, 'object')}: ${textAt(problem, 'message')}`
