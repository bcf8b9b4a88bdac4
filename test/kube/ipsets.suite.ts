// Do hosts get addresses that nobody else has, whatever runs twice, is late or is killed (R12)?
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { releaseIpSet } from '../../src/app/cli/ipset/releaseIpSet.ts'
import { openstack } from '../../src/app/openstack/openstack.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { nowhere } from '../build/terminal.ts'
import { watches } from './churn.ts'
import { core, type KubeObject, merge, verbs } from './cluster.ts'
import {
  type Cluster,
  isWrite,
  type Running,
  runController,
  startCluster,
  writesIn,
} from './controllers.ts'
import { forgetCrd } from './crds.ts'
import { churnHosts } from './hostChurn.ts'
import {
  contradictions,
  type IpSetStand,
  installOpenstack,
  ipSet,
  isReady,
  newIpSetStand,
  reservedBy,
} from './ipsetStand.ts'
import { pick, seeded } from './seeded.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
let cluster: Cluster
let stand: IpSetStand
let running: Running[] = []
let at = 0
const operators = 'openstack-operators'
/** `make soak` has two thousand hosts. */
const many = { hosts: 80, steps: 160, deadly: 0.03 }

const run: IpSetStand['run'] = (options) => {
  const one = stand.run(options)
  running.push(one)
  return one
}
/** While somebody writes, the rest comes one after the other. */
const isTwice = (what: string): boolean => what.includes('twice')
const named = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `host-${index}`)
const create = (names: readonly string[]) =>
  Promise.all(names.map((name) => stand.ipSets.create(ipSet(name))))
const ready = (name: string): Promise<readonly string[]> =>
  until(`${name} is ready`, async () => {
    const found = await stand.ipSets.get(name)
    return isReady(found) ? reservedBy(found).map(({ address }) => address) : undefined
  })

beforeAll(async () => {
  if (!isHere) return
  // Reservations go with their IPSets.
  const controllers = ['garbage-collector-controller']
  cluster = await startCluster({ controllers, define: installOpenstack })
})
beforeEach(async () => {
  stand = await newIpSetStand(cluster, `openstack-${at++}`)
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  running = []
})
afterAll(() => cluster?.stop())

describe.skipIf(!isHere)('hosts of OpenStack', () => {
  test('[R12.1] each network gives its lowest free address; a restart writes nothing', async () => {
    const first = run()
    await create(['a'])
    expect(await ready('a')).toEqual(['172.17.0.100', '172.18.0.100', '172.19.0.100'])
    await first.quiet()
    await first.stop()
    const second = run()
    await second.quiet()
    expect(writesIn(second.seen)).toEqual([])
  })

  test.each(watches)('[R12.5] two leaders, and hosts come and go: $title', async (lines) => {
    const one = run({ lease: 'one', lines: lines.first })
    const other = run({ lease: 'other', lines: lines.second })
    const random = seeded(23)
    for (let step = 0; step < 120; step++) {
      const name = `host-${pick(random, 30)}`
      const act =
        pick(random, 3) === 0 ? stand.ipSets.remove(name) : stand.ipSets.create(ipSet(name))
      await act.catch(() => undefined)
      await sleep(random() * 20)
      expect((await contradictions(stand)).filter(isTwice)).toEqual([])
    }
    await one.stop()
    await other.quiet()
    await until('nothing contradicts', async () =>
      (await contradictions(stand)).length === 0 ? true : undefined,
    )
  })

  test('[R12.5] killed after any of its writes, the next one goes on from there', async () => {
    const names = named(3)
    let killed = 0
    for (let most = 1; most < 40; most++) {
      let left = most
      const dying = run({
        spoil: async (request, pass) => {
          if (!isWrite(request) || request.path.includes('/leases')) return pass()
          // What it wrote last is written, and it never hears of it.
          if (left-- > 0) return pass()
          throw new Error('killed')
        },
      })
      if (most === 1) await create(names)
      await until('it is dead or done', () =>
        left < 0 || dying.controller.isQuiet ? true : undefined,
      )
      await dying.stop()
      if (left >= 0) break
      killed++
      expect((await contradictions(stand)).filter(isTwice)).toEqual([])
      await stand.ipSets.remove(names[most % 3] ?? '')
      await stand.ipSets.create(ipSet(names[most % 3] ?? ''))
    }
    expect(killed).toBeGreaterThan(3)
    const last = run()
    await Promise.all(names.map(ready))
    await last.quiet()
    expect(await contradictions(stand)).toEqual([])
  })

  test('[R12.5] on six networks none is given twice by two leaders that are late and die', {
    timeout: 300_000,
  }, async () => {
    const audit = await churnHosts(cluster, { ...many, namespace: 'many', seed: 7 })
    expect(audit).toMatchObject({ twice: [], wrong: [], unserved: 0 })
    expect(audit.kills).toBeGreaterThan(1)
  })

  test('[R12.7] who waits is served when an address is freed, the oldest first', async () => {
    const one = run()
    await create(named(20))
    await Promise.all(named(20).map(ready))
    const freed = await ready('host-7')
    for (const name of ['first', 'second']) {
      await stand.ipSets.create(ipSet(name))
      // The API counts ages in seconds.
      await sleep(1_100)
    }
    await stand.ipSets.remove('host-7')
    expect(await ready('first')).toEqual(freed)
    expect(isReady(await stand.ipSets.get('second'))).toBe(false)
    await one.quiet()
    const events = await verbs(cluster.admin, core('events', stand.namespace)).list()
    type Told = KubeObject & { readonly reason: string; readonly involvedObject: { name: string } }
    const told = (events.items as readonly Told[])
      .filter(({ involvedObject }) => involvedObject.name !== 'second')
      .map(({ reason, involvedObject: { name } }) => `${name} ${reason}`)
    // It is told again when another reason takes the place of the first.
    expect(new Set(told)).toEqual(new Set(['first ReservationFailed', 'first Reserved']))
  })

  test('[R12.5] of many hosts the first are written at once, and events behind them all', async () => {
    const ends = { start: '172.17.0.1', end: '172.17.0.250' }
    const subnets = [{ name: 'subnet1', cidr: '172.17.0.0/24', allocationRanges: [ends] }]
    const networks = [{ name: 'InternalApi', subnets }]
    stand = await newIpSetStand(cluster, `openstack-${at++}`, { networks })
    const names = named(200)
    // The network that there is not makes an event for each.
    const asked = ['InternalApi', 'Missing']
    await Promise.all(names.map((name) => stand.ipSets.create(ipSet(name, asked))))
    const one = run()
    await until('all are told', async () => {
      const { items } = await stand.ipSets.list()
      return items.every((host) => reservedBy(host).length === 1) || undefined
    })
    await one.quiet()
    type Block = { readonly spec: { readonly holders: readonly unknown[] } }
    const blocks = one.seen.filter((one) => isWrite(one) && one.path.endsWith('/addressblocks'))
    const [first] = blocks.map(({ body }) => (body as Block).spec.holders.length)
    expect(first).toBeLessThan(names.length)
    const writes = writesIn(one.seen)
    const statuses = writes.flatMap((write, index) => (write.endsWith('/status') ? [index] : []))
    const events = writes.flatMap((write, index) => (write.endsWith('/events') ? [index] : []))
    expect(events.length).toBeGreaterThanOrEqual(200)
    const early = events.filter((index) => index < (statuses[100] ?? 0))
    // A few trickle where the API takes long.
    expect(early.length).toBeLessThan(10)
  })

  test('[R12.6] a Reservation and a block that somebody deletes come back as they were', async () => {
    const one = run()
    await create(['a', 'b'])
    const [before] = await Promise.all(['a', 'b'].map(ready))
    await stand.reservations.remove('a')
    for (const { metadata } of (await stand.blocks.list()).items) {
      if (metadata.name.includes(stand.namespace)) await stand.blocks.remove(metadata.name)
    }
    await until('all is there again', async () =>
      (await contradictions(stand)).length === 0 ? true : undefined,
    )
    await one.quiet()
    expect(await ready('a')).toEqual(before)
  })

  test('[R12.9] what is kept is given back to the name, and released by berth ipset release', async () => {
    const body = { metadata: { annotations: { 'berth.dev/keep': 'always' } } }
    await stand.netConfigs.patch('netconfig', { type: merge, body })
    const one = run()
    const names = named(20)
    await create(names)
    await Promise.all(names.map(ready))
    const kept = await ready('host-3')
    await stand.ipSets.remove('host-3')
    await stand.ipSets.create(ipSet('late'))
    await one.quiet()
    expect(isReady(await stand.ipSets.get('late'))).toBe(false)
    expect(await release('host-3', false)).toEqual({ exit: 2, lines: 3 })
    expect(await release('host-4', true)).toEqual({ exit: 1, lines: 0 })
    expect(await release('host-3', true)).toEqual({ exit: 0, lines: 3 })
    expect(await ready('late')).toEqual(kept)
    await one.quiet()
    expect(await contradictions(stand)).toEqual([])
  })

  test('[R12.12] while infra-operator renews its Lease nothing is written', async () => {
    const leases = verbs(cluster.admin, {
      group: 'coordination.k8s.io',
      version: 'v1',
      plural: 'leases',
      namespace: operators,
    })
    await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: operators } })
    const renewTime = new Date().toISOString().replace('Z', '000Z')
    const spec = { holderIdentity: 'infra', leaseDurationSeconds: 3600, renewTime }
    await leases.create({ ...typeOf('Lease'), metadata: { name: 'c8c223a1.openstack.org' }, spec })
    const one = run()
    await one.quiet()
    await create(['a'])
    await one.quiet()
    expect((await stand.ipSets.get('a')).status).toBeUndefined()
    expect(one.log.join('\n')).toContain('infra-operator')
    await leases.remove('c8c223a1.openstack.org')
    expect(await ready('a')).toEqual(['172.17.0.100', '172.18.0.100', '172.19.0.100'])
  })

  test('[R12.8] a NetConfig that goes or is emptied takes nothing from anybody', async () => {
    const one = run()
    await create(['a', 'b'])
    const before = await Promise.all(['a', 'b'].map(ready))
    const config = await stand.netConfigs.get('netconfig')
    const networksOf = (body: object) =>
      stand.netConfigs.patch('netconfig', { type: merge, body: { spec: body } })
    await networksOf({ networks: [] })
    await until('a says so', async () => (isReady(await stand.ipSets.get('a')) ? undefined : true))
    await networksOf({ networks: config.spec?.['networks'] })
    expect(await Promise.all(['a', 'b'].map(ready))).toEqual(before)
    await stand.netConfigs.remove('netconfig')
    const told = await until('a says so', async () => {
      const found = await stand.ipSets.get('a')
      return isReady(found) ? undefined : found
    })
    expect(JSON.stringify(told.status)).toContain('NetConfig missing in namespace')
    expect(reservedBy(told).map(({ address }) => address)).toEqual(before[0])
    await stand.ipSets.remove('b')
    // The API removes its Reservation when it comes to it.
    await until("b's addresses are free", async () => {
      const found = await stand.reservations.list()
      return found.items.some(({ metadata }) => metadata.name === 'b') ? undefined : true
    })
    await one.quiet()
    const { kind, apiVersion, spec } = config
    await stand.netConfigs.create({ kind, apiVersion, metadata: { name: 'netconfig' }, spec })
    expect(await ready('a')).toEqual(before[0])
    await create(['c'])
    expect(await ready('c')).toEqual(before[1])
    await one.quiet()
    expect(await contradictions(stand)).toEqual([])
  })

  test('[R12.6] where the Reservations go with their definition, they come back as they were', async () => {
    const one = run()
    const names = named(5)
    await create(names)
    const before = await Promise.all(names.map(ready))
    await forgetCrd(cluster.admin, 'reservations.network.openstack.org')
    // Nothing is decided meanwhile: what is not known could be given twice.
    await create(['late'])
    await installOpenstack(cluster.admin)
    await until('all is there again', async () =>
      (await contradictions(stand)).length === 0 ? true : undefined,
    )
    expect(await Promise.all(names.map(ready))).toEqual(before)
    await ready('late')
    await one.quiet()
    expect(await contradictions(stand)).toEqual([])
  })

  test('[R3.13] where the NetConfigs go with their definition, nobody is told that there is none', async () => {
    const one = run()
    await create(['a'])
    await ready('a')
    await one.quiet()
    const before = one.seen.length
    await forgetCrd(cluster.admin, 'netconfigs.network.openstack.org')
    await until('it says so', () =>
      one.log.some((line) => line.includes('does not serve NetConfig')) ? true : undefined,
    )
    const writes = writesIn(one.seen.slice(before))
    expect(writes.filter((write) => write.includes('/ipsets/'))).toEqual([])
    await installOpenstack(cluster.admin)
  })

  test('[R12.12] with auto, what is not served is said, and served once it is defined', async () => {
    await forgetCrd(cluster.admin, 'netconfigs.network.openstack.org')
    const one = runController(cluster.kube, { extensions: [openstack('auto')] })
    running.push(one)
    await until('it says so', () =>
      one.log.some((line) => /does not serve NetConfig.*apply deploy\/openstack\/crds/.test(line))
        ? true
        : undefined,
    )
    await installOpenstack(cluster.admin)
    stand = await newIpSetStand(cluster, 'defined-later')
    await create(['a'])
    await ready('a')
  })
})

/** How it ended, and how many addresses it named. */
async function release(name: string, isSure: boolean) {
  let text = ''
  const out = (said: string) => {
    text += said
  }
  const io = { ...nowhere, out }
  const { namespace } = stand
  const exit = await releaseIpSet({ api: cluster.admin, io, namespace, name, isSure })
  return { exit, lines: text.match(/^172\./gm)?.length ?? 0 }
}
