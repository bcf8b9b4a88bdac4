// Do the Services have the addresses, reasons and events that a step expects?
import { isRecord, recordAt, textAt } from '../model/json.ts'
import { inCondition, type Reason, remedies } from '../model/reason.ts'
import { parseIp } from '../net/ip.ts'
import type { Miss, Moment } from './runScenario.ts'
import type { ServiceExpectation } from './scenario.ts'
import type { Look } from './scenarioCluster.ts'

export function checkServices(
  moment: Moment,
  expected: Readonly<Record<string, ServiceExpectation>>,
): Miss[] {
  const strangers = Object.keys(expected).filter((key) => !moment.known.has(key))
  const unknown = strangers.map((key) => ({
    path: `services.${key}`,
    expected: 'a Service that was applied',
    actual: 'none of that name',
  }))
  const misses = Object.entries(expected).flatMap(([key, wanted]) =>
    checkService(moment, key, wanted).map((miss) => ({
      ...miss,
      path: `services.${key}.${miss.path}`,
    })),
  )
  return [...unknown, ...misses]
}

export function addressesIn(look: Look, key: string): string[] {
  const status = recordAt(recordAt(look.get(`Service/${key}`), 'status'), 'loadBalancer')
  const ingress = Array.isArray(status['ingress']) ? status['ingress'] : []
  return ingress.map((entry) => textAt(entry, 'ip')).filter((ip) => ip !== '')
}

function checkService(moment: Moment, key: string, wanted: ServiceExpectation): Miss[] {
  const { look, before } = moment
  const addresses = addressesIn(look, key)
  const recorded = textAt(annotationsOf(look, key), 'metallb.io/ip-allocated-from-pool')
  const seen = look.events.filter(({ service }) => service === key).map(({ reason }) => reason)
  const misses: Miss[] = []
  const expectThat = (holds: boolean, miss: Miss) => {
    if (miss.expected !== undefined && !holds) misses.push(miss)
  }
  const compare = (path: string, expected: unknown, actual: unknown) =>
    expectThat(same(expected, actual), { path, expected, actual })
  compare('addresses', wanted.addresses, addresses)
  const pools = addresses.map((text) => poolOf(look, text))
  const { addressesFrom = [] } = wanted
  expectThat(sameSet(addressesFrom, pools), {
    path: 'addressesFrom',
    expected: wanted.addressesFrom,
    actual: pools,
  })
  compare('pool', wanted.pool, recorded)
  compare('pending', wanted.pending, addresses.length === 0)
  compare('reason', wanted.reason, reasonOf(look, key))
  const hasEvents = (wanted.events ?? []).every((reason) => seen.includes(reason))
  expectThat(hasEvents, { path: 'events', expected: wanted.events, actual: seen })
  const earlier = before.get(key) ?? []
  if (wanted.same === true) compare('same', earlier, addresses)
  for (const other of wanted.distinctFrom ?? []) {
    const common = addressesIn(look, other).filter((ip) => addresses.includes(ip))
    expectThat(common.length === 0, { path: 'distinctFrom', expected: other, actual: common })
  }
  return misses
}

const annotationsOf = (look: Look, key: string) =>
  recordAt(recordAt(look.get(`Service/${key}`), 'metadata'), 'annotations')

function poolOf(look: Look, text: string): string {
  const ip = parseIp(text)
  return (ip.ok ? look.world.poolOf(ip.value)?.name : undefined) ?? ''
}

/** The word of R7 behind the condition's CamelCase. */
function reasonOf(look: Look, key: string): string | undefined {
  const { conditions } = recordAt(look.get(`Service/${key}`), 'status')
  const condition = (Array.isArray(conditions) ? conditions : [])
    .filter(isRecord)
    .find(({ type }) => type === 'berth.dev/Addressed')
  if (condition?.['status'] !== 'False') return undefined
  const spelt = textAt(condition, 'reason')
  return Object.keys(remedies).find((reason) => inCondition(reason as Reason) === spelt) ?? spelt
}

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  same([...one].sort(), [...other].sort())
