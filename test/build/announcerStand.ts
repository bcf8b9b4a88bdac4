// An announcer among the nodes a, b and c, of which it is a: whom it sees and what they report is
// set by the test, and what goes out is read.

import { Announcer } from '../../src/app/speaker/layer2/announcer.ts'
import { Answers } from '../../src/app/speaker/layer2/answers.ts'
import type { Election } from '../../src/app/speaker/layer2/election.ts'
import type { Protocol } from '../../src/app/speaker/protocol.ts'
import { ProtocolLife } from '../../src/app/speaker/protocolLife.ts'
import type { View } from '../../src/core/model/view.ts'
import type { Speakers } from '../../src/core/policy/announce/advertise.ts'
import { electionOrder } from '../../src/core/policy/announce/elect.ts'
import type { Announcement } from '../../src/core/session/layer2/announcement.ts'
import { endpoints, ip, l2, node, pool, service, worldOf } from './announcing.ts'
import { newClock } from './manualClock.ts'

export const nodes = ['a', 'b', 'c']
const scoreOf = () => 0
/** The address for which b is elected, then a, then c. */
const host = [...Array(200).keys()].find((at) => {
  return electionOrder({ ip: ip(`192.0.2.${at}`), nodes, scoreOf }).join('') === 'bac'
})
export const address = `192.0.2.${host}`
export const vip = ip(address)

type Stand = {
  readonly split?: string
  readonly live?: readonly string[]
  readonly services?: number
}

export function announcerStand({ split = '', live = nodes, services = 1 }: Stand = {}) {
  const names = Array.from({ length: services }, (_, at) => `s${at}`)
  const world = worldOf(
    pool('lan', ['192.0.2.0/24', '198.51.100.0/24'], { split }),
    l2('lan'),
    ...nodes.map((name) => node(name)),
    ...names.map((name, at) => service(name, [at === 0 ? address : `198.51.100.${at}`])),
    ...names.map((name) => endpoints(name, nodes)),
  )
  const clock = newClock()
  const orders: string[] = []
  const left = new Set<string>()
  const told = new Set(nodes)
  const soon: (() => void)[] = []
  let speakers: Speakers = { live: new Set(live), expected: new Set(nodes) }
  const text = ({ address, start }: Announcement) => `${start} ${address}`
  const answers = new Answers({
    driver: {
      announce: (announcements) => orders.push(...announcements.map(text)),
      withdraw: (addresses) => orders.push(...addresses.map((address) => `withdraw ${address}`)),
    },
    nowMs: clock.nowMs,
    after: clock.after,
  })
  const decided: string[] = []
  const unknown = { nodeUid: '', speakers: undefined, hasRunBefore: false }
  const state = { ...unknown, hasApi: true, isSilent: false }
  const peers = {
    get speakers() {
      return speakers
    },
    hasLeft: (name: string) => left.has(name),
    safeDelayMs: 420,
  }
  const statuses = { hasTold: (_: string, name: string) => told.has(name) }
  const links = { names: new Set(['eth0']) }
  const parts = { answers, peers, statuses, links, shouldAnnounceAnyway: false }
  let announcer: Announcer | undefined
  const host = { ...notUsed, world, node: 'a', clock: { ...clock, nowMs: () => clock.nowMs() } }
  const life = new ProtocolLife<Election>(
    {
      name: 'layer2',
      kinds: [],
      start(given) {
        announcer = new Announcer({ ...parts, host: given })
        return protocolOf(announcer, answers, (key) => decided.push(key))
      },
    },
    {
      ...host,
      state,
      isReady: () => true,
      soon: (act) => soon.push(act),
      log: ({ message }) => {
        throw new Error(String(message))
      },
    },
  )
  if (announcer === undefined) throw new Error('it has not started')
  return { announcer, life, orders, clock, left, told, soon, decided, ...stepsOf() }

  function stepsOf() {
    const change = (act: () => void) => {
      act()
      life.configurationChanged()
      life.pump()
    }
    return {
      see(...names: readonly string[]) {
        speakers = { ...speakers, live: new Set(names) }
        for (const key of announcer?.speakersChanged() ?? []) life.urge(key)
        life.wakeAll()
        life.pump()
      },
      keepSilent: (isSilent: boolean) =>
        change(() => {
          state.isSilent = isSilent
        }),
      put: (...views: readonly View[]) =>
        change(() => {
          for (const view of views) world.apply({ type: 'upsert', view })
        }),
      drop: (kind: View['kind'], key: string) =>
        change(() => world.apply({ type: 'delete', kind, key })),
    }
  }
}

const unasked = (): never => {
  throw new Error('not used in this test')
}
const notUsed = {
  api: { call: unasked, stream: unasked, close: unasked },
  pod: undefined,
  random: () => 0,
  timestamp: () => '',
}

/** The announcer alone: no thread, no membership, no status. */
function protocolOf(
  announcer: Announcer,
  answers: Answers,
  decided: (key: string) => void,
): Protocol<Election> {
  return {
    missing: [],
    ended: new Promise(() => undefined),
    report: {
      announced: () => [],
      problems: async () => [],
      complaints: () => [],
      metrics: () => [],
    },
    stateChanged: () => undefined,
    worldChanged: () => announcer.lookAgain(),
    wants: (service) => announcer.wants(service),
    apply(change) {
      announcer.apply(change)
      decided(change.service)
    },
    flush: () => answers.flush(),
    settled: () => announcer.lookAgain(),
    leave: async () => answers.stay(),
    stop: async () => undefined,
  }
}
