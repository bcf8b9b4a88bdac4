import { expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { pool, service, worldOf } from '../../../test/build/announcing.ts'
import { inCondition, type Reason, remedies } from '../../core/model/reason.ts'
import type { World } from '../../core/model/world.ts'
import { metricsText } from '../../edge/kube/serve/metricsText.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import { type MetricsParts, newMetrics } from './metrics.ts'
import { startMetrics } from './startMetrics.ts'

const waiting = (name: string, reason: Reason, given: object = {}) =>
  service(name, [], {
    addressed: { status: 'False', reason: inCondition(reason), message: '' },
    ...given,
  })

const parts = (world: World, given: Partial<MetricsParts> = {}): MetricsParts => ({
  world,
  requests: new Requests(),
  isLeading: () => true,
  isIn: () => true,
  isWaiting: () => false,
  complaints: () => [],
  troubles: { parked: [], failures: new Map() },
  ...given,
})

const linesOf = (given: MetricsParts): string[] => metricsText(newMetrics(given)()).split('\n')

test('[M7.1] pools: what they have and what is in use, by family', () => {
  const world = worldOf(
    pool('lan', ['192.0.2.0/28', '2001:db8::/64']),
    pool('wan', ['198.51.100.0/31']),
    service('web', ['192.0.2.1', '2001:db8::1']),
    service('api', ['192.0.2.2']),
  )
  expect(linesOf(parts(world))).toEqual(
    expect.arrayContaining([
      'metallb_allocator_addresses_total{pool="lan"} 18446744073709552000',
      'metallb_allocator_addresses_total{pool="wan"} 2',
      'metallb_allocator_addresses_in_use_total{pool="lan"} 3',
      'metallb_allocator_addresses_in_use_total{pool="wan"} 0',
      'metallb_allocator_ipv4_addresses_total{pool="lan"} 16',
      'metallb_allocator_ipv4_addresses_in_use_total{pool="lan"} 2',
      'metallb_allocator_ipv6_addresses_total{pool="wan"} 0',
      'metallb_allocator_ipv6_addresses_in_use_total{pool="lan"} 1',
    ]),
  )
})

test.each(Object.keys(remedies))('[R7] %s is the word for those who wait so', (word) => {
  const world = worldOf(
    waiting('a', word as Reason),
    waiting('b', word as Reason),
    waiting('other-class', word as Reason, { loadBalancerClass: 'other' }),
    service('fine', ['192.0.2.1'], {
      addressed: { status: 'True', reason: 'Addressed', message: '' },
    }),
  )
  const shown = linesOf(parts(world)).filter((line) => /^berth_waiting.* [1-9]/.test(line))
  expect(shown).toEqual([`berth_waiting_services{reason="${word}"} 2`])
})

test('[R3.14] what is kept of a pool that is gone is counted', () => {
  const web = service('web', ['192.0.2.9'])
  const record = addressRecord('192.0.2.9', { pool: 'old', holders: [holderOf(web)] })
  const world = worldOf(web, record)
  const lost = () => linesOf(parts(world)).filter((line) => line.startsWith('berth_lost'))
  expect(lost()).toEqual(['berth_lost_pool_addresses{pool="old"} 1'])
  world.apply({ type: 'upsert', view: pool('old', ['192.0.2.0/24']) })
  expect(lost()).toEqual([])
})

test('a replica that does not lead shows neither pools nor who waits', () => {
  const world = worldOf(pool('lan', ['192.0.2.0/28']), waiting('web', 'pool-full'))
  const lines = linesOf(parts(world, { isLeading: () => false }))
  expect(lines).toContain('berth_leader 0')
  expect(lines.filter((line) => /allocator|waiting/.test(line))).toEqual([])
})

test('[M7.1] configuration: loaded once it was read, stale while it does not count', () => {
  let [isIn, complaints] = [false, ['pool a overlaps pool b']]
  const given = { isIn: () => isIn, complaints: () => complaints }
  const metrics = newMetrics(parts(worldOf(), given))
  const shown = () =>
    metricsText(metrics()).match(/^(metallb_k8s_client_config|berth_ignored).*$/gm)
  const state = (loaded: number, stale: number, ignored: number) => [
    `metallb_k8s_client_config_loaded_bool ${loaded}`,
    `metallb_k8s_client_config_stale_bool ${stale}`,
    `berth_ignored_objects ${ignored}`,
  ]
  expect(shown()).toEqual(state(0, 0, 1))
  isIn = true
  expect(shown()).toEqual(state(1, 1, 1))
  complaints = []
  expect(shown()).toEqual(state(1, 0, 0))
  isIn = false
  expect(shown()).toEqual(state(1, 1, 0))
})

test.each([true, false])('whether MetalLB keeps us from writing: %s', (isWaiting) => {
  const lines = linesOf(parts(worldOf(), { isWaiting: () => isWaiting }))
  expect(lines).toContain(`berth_waits_for_metallb ${Number(isWaiting)}`)
})

test('no name is shown twice, and each has a type and help', () => {
  const names = newMetrics(parts(worldOf()))().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('the page is served as Prometheus reads it', async () => {
  const { port, close } = await startMetrics(0, parts(worldOf()))
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await answer.text()).toContain('\nberth_leader 1\n')
  await close()
})
