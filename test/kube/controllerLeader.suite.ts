// Who leads, on a real API server? With clocks that the test moves, so that nobody has to wait.
import { beforeEach, expect, test } from 'vitest'
import { Controller } from '../../src/app/controller/controller.ts'
import { Leader } from '../../src/app/controller/leader.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { apiAs, contract, newNamespace, verbs } from './cluster.ts'
import { until } from './waits.ts'

const admin = apiAs('admin')
let namespace = ''
beforeEach(async () => {
  namespace = await newNamespace(admin)
})

/** Each attempt is one step of the test: a sleep ends when the test says so. */
function candidate(identity: string) {
  let nowMs = 1_000_000
  let attempts = 0
  let wake = (): void => undefined
  const end = new AbortController()
  const leader = new Leader({
    api: admin,
    namespace,
    name: 'lead',
    identity,
    nowMs: () => nowMs,
    sleep: () => {
      attempts++
      return new Promise((resolve) => {
        wake = resolve
      })
    },
    timestamp: () => new Date(1_800_000_000_000 + 1_000 * attempts).toISOString(),
    failed: () => undefined,
  })
  const attempt = async (): Promise<void> => {
    const before = attempts
    if (before === 0) void leader.run(end.signal, () => undefined)
    wake()
    await until(`${identity} has tried`, () => (attempts > before ? true : undefined))
  }
  return {
    leader,
    attempt,
    pass(ms: number) {
      nowMs += ms
    },
  }
}

const leases = () =>
  verbs(admin, { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespace })
const holder = async () => (await leases().get('lead')).spec?.['holderIdentity']

contract('leading', () => {
  test('one has the lease; past the renew deadline it no longer counts itself the leader', async () => {
    const [one, other] = [candidate('one'), candidate('other')]
    await one.attempt()
    await other.attempt()
    expect([one.leader.isLeading, other.leader.isLeading]).toEqual([true, false])
    one.pass(9_999)
    expect(one.leader.isLeading).toBe(true)
    one.pass(1)
    expect(one.leader.isLeading).toBe(false)
    await one.attempt()
    expect(one.leader.isLeading).toBe(true)
    expect((await leases().get('lead')).spec).toMatchObject({ leaseDurationSeconds: 15 })
  })

  test('it expires 15 s after its last change was seen, by the clock of who looks', async () => {
    const [one, other] = [candidate('one'), candidate('other')]
    await one.attempt()
    await other.attempt()
    other.pass(14_999)
    await other.attempt()
    expect(other.leader.isLeading).toBe(false)
    await one.attempt()
    other.pass(1)
    await other.attempt()
    expect(other.leader.isLeading).toBe(false)
    other.pass(15_000)
    await other.attempt()
    expect(other.leader.isLeading).toBe(true)
    expect((await leases().get('lead')).spec).toMatchObject({ leaseTransitions: 1 })
    await one.attempt()
    expect(one.leader.isLeading).toBe(false)
  })

  test('given back it is free at once', async () => {
    const [one, other] = [candidate('one'), candidate('other')]
    await one.attempt()
    await other.attempt()
    await one.leader.release()
    expect([one.leader.isLeading, await holder()]).toEqual([false, undefined])
    await other.attempt()
    expect([other.leader.isLeading, await holder()]).toEqual([true, 'other'])
  })

  test.each([true, false])('[M4.3] who may lead (%s) asks for the lease', async (mayLead) => {
    const asked: string[] = []
    const end = new AbortController()
    const controller = new Controller({
      api: {
        ...admin,
        call(request) {
          asked.push(request.path)
          return admin.call(request)
        },
      },
      settings: { ownNamespace: namespace, loadBalancerClass: '' },
      clock: systemClock,
      random: Math.random,
      timestamp: () => new Date().toISOString(),
      identity: 'one',
      mayLead,
      log: () => undefined,
    })
    const ended = controller.run(end.signal)
    await until('it reads', () => asked.find((path) => path.endsWith('/services')))
    end.abort()
    await ended
    expect(asked.some((path) => path.includes('/leases/'))).toBe(mayLead)
  })

  test('of two that try at once one wins', async () => {
    const all = ['a', 'b', 'c', 'd'].map(candidate)
    await Promise.all(all.map((one) => one.attempt()))
    expect(all.filter(({ leader }) => leader.isLeading).length).toBe(1)
  })
})
