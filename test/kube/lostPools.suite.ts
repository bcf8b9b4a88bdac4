// Pools that are lost are not pools that are deleted (R3.14): definitions go and come back, pools
// come back late or never, and controllers end at any moment of it. Does any address change?
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { releasePool } from '../../src/app/cli/release/releasePool.ts'
import { Fault } from '../../src/edge/kube/api/fault.ts'
import { core, type KubeObject, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  type Cluster,
  conditionOf,
  isWrite,
  ownNamespace,
  pool,
  type Running,
  runController,
  type Spoil,
  shownBy,
  startCluster,
  writesIn,
} from './controllers.ts'
import { defineCrd, forgetCrd, type Shipped, shippedCrds } from './crds.ts'
import { named } from './faultStand.ts'
import { type Witness, witness, wrongsAtRest } from './promiseOne.ts'
import { pick, seeded } from './seeded.ts'
import { until } from './waits.ts'

const minutes = 60_000
const red = {
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: 'red' },
  spec: {
    namespaces: { names: ['red'] },
    networks: [
      { name: 'edge', cidrs: ['198.51.100.0/24'], loadBalancer: ['198.51.100.8-198.51.100.30'] },
    ],
  },
}
const ranges: Readonly<Record<string, string>> = { north: '10.4.0.0/24', south: '10.5.0.0/24' }

let cluster: Cluster
let running: Running
let seen: Witness
let crds: readonly Shipped[] = []
let leases = 0

/** With a lease of its own, so that whoever had one before is taken for dead. */
const run = (spoil?: Spoil): Running =>
  runController(cluster.kube, { lease: `lost-${++leases}`, ...(spoil && { spoil }) })
const pools = (name: string) => pool(name, [ranges[name] ?? ''])
const inNamespace = (name: string) => cluster.services(name)
const everyone = async (): Promise<KubeObject[]> =>
  (await verbs(cluster.admin, core('services')).list()).items.filter(
    ({ spec }) => spec?.['type'] === 'LoadBalancer',
  )
const reasons = async (): Promise<string[]> => [
  ...new Set((await everyone()).map((one) => conditionOf(one)?.reason ?? '')),
]
const notes = () =>
  verbs(cluster.admin, { group: 'berth.dev', version: 'v1alpha1', plural: 'releasedpools' })

async function restart(): Promise<void> {
  await running.stop()
  running = run()
}

/** It has nothing left to do, or says why it does nothing. */
async function atRest(): Promise<void> {
  const { controller } = running
  await until('at rest', () => {
    if (controller.isQuiet) return true
    return controller.mayWrite || !controller.complaints()?.length ? undefined : true
  })
  if (controller.mayWrite) await running.quiet()
}

async function makeNamespace(name: string): Promise<void> {
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name } })
}

/** Left out, not failed, where there is no Kubernetes to run on. */
describe.skipIf(inject('kube') === undefined)('lost pools', () => {
  beforeAll(async () => {
    cluster = await startCluster()
    crds = await shippedCrds()
    running = run()
    for (const name of ['north', 'south', 'red']) await makeNamespace(name)
    for (const name of Object.keys(ranges)) await cluster.pools.create(pools(name))
    await cluster.tenants.create(red)
    const counts: [string, string, number][] = [
      ['north', 'north', 25],
      ['south', 'south', 25],
      ['red', 'edge', 10],
    ]
    for (const [namespace, asked, count] of counts) {
      const services = inNamespace(namespace)
      await Promise.all(named('web-', count).map((one) => services.create(asking(one, asked))))
      await Promise.all(named('web-', count).map((one) => addressOf(services, one)))
    }
    await running.quiet()
    seen = witness(cluster.admin)
  }, 2 * minutes)

  afterAll(async () => {
    await running.stop()
    await seen.end()
    await cluster.stop()
  })

  const isOf = (group: RegExp) => crds.filter(({ name }) => group.test(name))
  const forget = (group: RegExp) =>
    Promise.all(isOf(group).map(({ name }) => forgetCrd(cluster.admin, name)))
  const define = (group: RegExp) =>
    Promise.all(isOf(group).map(({ name, json }) => defineCrd(cluster.admin, name, json)))

  /** What is lost comes back in this order; a controller may end after each. */
  const steps = (lost: RegExp): readonly (() => Promise<unknown>)[] => [
    () => forget(lost),
    () => define(lost),
    async () => (lost.test('tenants.') ? cluster.tenants.create(red) : undefined),
    () => cluster.pools.create(pools('north')),
    () => cluster.pools.create(pools('south')),
  ]

  type Walk = { when: string; lost: RegExp; restarts: readonly number[] }
  test.each<Walk>([
    { when: 'never', lost: /^(ipaddresspools|tenants)\./, restarts: [] },
    { when: 'before anything is back', lost: /^(ipaddresspools|tenants)\./, restarts: [1] },
    { when: 'with one pool back', lost: /^(ipaddresspools|tenants)\./, restarts: [3] },
    { when: 'after each step', lost: /\.metallb\.io$|^tenants\./, restarts: [0, 1, 2, 3, 4] },
    { when: 'after each step, tenants stay', lost: /\.metallb\.io$/, restarts: [0, 1, 2, 3, 4] },
  ])(
    '[R3.14] definitions are deleted and applied again, restarts: $when; nothing changes',
    async ({ lost, restarts }) => {
      for (const [at, step] of steps(lost).entries()) {
        await step()
        if (restarts.includes(at)) await restart()
        await atRest()
        await seen.caughtUp()
        expect([at, seen.moves]).toEqual([at, []])
      }
      await until('all as before', async () => {
        return (await reasons()).join() === 'Addressed' ? true : undefined
      })
      await running.quiet()
      expect(seen.moves).toEqual([])
      expect(await wrongsAtRest(cluster)).toEqual([])
      expect((await notes().list()).items).toEqual([])
    },
    2 * minutes,
  )

  test.each([1, 2, 3])(
    '[R3.14] controllers end at any moment of it, again and again; nothing changes (%i)',
    async (seed) => {
      const random = seeded(seed)
      let isBack = false
      const ending = (async () => {
        while (!isBack) {
          await sleep(pick(random, 400))
          await restart()
        }
      })()
      for (const step of steps(/\.metallb\.io$|^tenants\./)) {
        await step()
        await sleep(pick(random, 600))
      }
      isBack = true
      await ending
      await until('all as before', async () => {
        return (await reasons()).join() === 'Addressed' ? true : undefined
      })
      await running.quiet()
      await seen.caughtUp()
      expect(seen.moves).toEqual([])
      expect(await wrongsAtRest(cluster)).toEqual([])
      expect((await notes().list()).items).toEqual([])
    },
    2 * minutes,
  )

  test('what cannot be written while its definition is missing is logged once', async () => {
    await forget(/^configurationstates\./)
    await restart()
    const said = () => running.log.filter((line) => line.includes('"ConfigurationState"'))
    await until('it is said', () => said()[0])
    const from = running.seen.length
    const isTry = ({ path }: { path: string }) => path.includes('/configurationstates')
    await until('it is tried again and again', () => {
      return running.seen.slice(from).filter(isTry).length >= 6 ? true : undefined
    })
    await define(/^configurationstates\./)
    await until('it is written', () => cluster.states.get('controller').catch(() => undefined))
    expect(said()).toHaveLength(1)
  })

  test('[R3.14] what is lost is said, and the rest goes on', async () => {
    await forget(/^ipaddresspools\./)
    await restart()
    await define(/^ipaddresspools\./)
    const { status } = await until('it is said', async () => {
      const state = await cluster.states.get('controller')
      return String(state.status?.['errorSummary']).includes('pools-lost') ? state : undefined
    })
    expect(status?.['errorSummary']).toMatch(/pool north is gone.*25 addresses are kept/)
    await until('in every condition', async () => {
      return (await reasons()).sort().join() === 'Addressed,PoolsLost' ? true : undefined
    })
    const events = verbs(cluster.admin, core('events', 'north'))
    await until('an event of each Service says it', async () => {
      const { items } = await events.list()
      const told = items.filter((one) => (one as { reason?: string }).reason === 'PoolsLost')
      return told.length >= 25 || undefined
    })
    // The tenant made its pool again.
    await cluster.services('red').create(asking('late', 'edge'))
    expect(await addressOf(cluster.services('red'), 'late')).toMatch(/^198\.51\.100\./)
    await cluster.services('red').remove('late')
    for (const name of Object.keys(ranges)) await cluster.pools.create(pools(name))
    await until('all as before', async () => {
      return (await reasons()).join() === 'Addressed' ? true : undefined
    })
    await seen.caughtUp()
    expect(seen.moves).toEqual([])
  })

  const shownIn = async (namespace: string): Promise<string[]> =>
    (await inNamespace(namespace).list()).items.flatMap(shownBy).sort()
  const allHave = (namespace: string, count: number) =>
    until(`${count} in ${namespace} have an address`, async () => {
      return (await shownIn(namespace)).length === count ? true : undefined
    })
  const noNotes = () =>
    until('no note is left', async () => {
      return (await notes().list()).items.length === 0 ? true : undefined
    })

  /** As berth release pool does it. */
  async function release(name: string, isSure: boolean) {
    let text = ''
    const say = (said: string) => {
      text += said
    }
    const { signal } = new AbortController()
    const rest = { stdin: Readable.from([]), isTerminal: false, signal, env: {}, home: '' }
    const io = { ...rest, out: say, err: say }
    const settings = { ownNamespace, loadBalancerClass: '' }
    const exit = await releasePool({ api: cluster.admin, io, settings, pool: name, isSure })
    return { exit, text }
  }

  test('[R3.14] deleted while no controller runs: kept, until a person says that it is gone', async () => {
    const before = await shownIn('north')
    expect(await release('north', true)).toEqual({
      exit: 1,
      text: expect.stringContaining('pool north is there'),
    })
    await running.stop()
    await cluster.pools.remove('north')
    for (let start = 0; start < 2; start++) {
      running = run()
      await running.quiet()
      expect(await shownIn('north')).toEqual(before)
      if (start === 0) await running.stop()
    }
    const shown = await release('north', false)
    expect(shown.exit).toBe(2)
    expect(shown.text).toMatch(/^10\.4\.0\.\d+ north\/web-\d+\n/)
    expect(shown.text).toMatch(/25 Services lose their addresses; nothing was done/)
    expect((await notes().list()).items).toEqual([])
    expect((await release('north', true)).exit).toBe(0)
    await allHave('north', 0)
    await noNotes()
    expect(await shownIn('south')).toHaveLength(25)
    await cluster.pools.create(pools('north'))
    await allHave('north', 25)
  })

  test('[R3.14] deleted while we watch: noted, released, and the note is gone', async () => {
    await running.quiet()
    const from = running.seen.length
    await cluster.pools.remove('north')
    await allHave('north', 0)
    await noNotes()
    await running.quiet()
    const writes = writesIn(running.seen.slice(from)).filter((one) => !/events|states/.test(one))
    expect(writes[0]).toBe('PATCH /apis/berth.dev/v1alpha1/releasedpools/north')
    expect(writes.at(-1)).toBe('DELETE /apis/berth.dev/v1alpha1/releasedpools/north')
    expect(await wrongsAtRest(cluster)).toEqual([])
    await cluster.pools.create(pools('north'))
    await allHave('north', 25)
  })

  /** Dead before its n-th write, or after that is on its way. */
  function dying(after: number, isSent: boolean) {
    let [left, isDead] = [Number.POSITIVE_INFINITY, false]
    const spoil: Spoil = (request, pass) => {
      if (isDead) return Promise.reject(new Fault('dead'))
      const counts = isWrite(request) && /\/(addresses|services|releasedpools)\b/.test(request.path)
      if (!counts || --left > 0) return undefined
      isDead = true
      const arrived = isSent ? pass().catch(() => undefined) : Promise.resolve()
      // Not never: the loop that waits for it has to end with its controller.
      return arrived.then(() => Promise.reject(new Fault('dead')))
    }
    const arm = () => {
      left = after
    }
    return { spoil, arm, isDead: () => isDead }
  }

  test(
    '[R3.14] killed between any two writes of a release: what has begun goes on, what has not is kept',
    async () => {
      const count = 2
      await makeNamespace('kill')
      await cluster.pools.create(pool('kill', ['10.6.0.0/24']))
      await Promise.all(
        named('web-', count).map((one) => inNamespace('kill').create(asking(one, 'kill'))),
      )
      await allHave('kill', count)
      const ends = new Map<string, number>()
      for (let after = 1, isOver = false; !isOver; after++) {
        await running.quiet()
        await running.stop()
        const death = dying(after, after % 2 === 0)
        const victim = run(death.spoil)
        await victim.quiet()
        death.arm()
        await cluster.pools.remove('kill')
        await until('dead or done', async () => {
          if (death.isDead()) return true
          const isDone = (await shownIn('kill')).length === 0
          return isDone && victim.controller.isQuiet && (await notes().list()).items.length === 0
            ? true
            : undefined
        })
        isOver = !death.isDead()
        await victim.stop()
        running = run()
        await running.quiet()
        await noNotes()
        const left = (await shownIn('kill')).length
        ends.set(`${left}`, (ends.get(`${left}`) ?? 0) + 1)
        await cluster.pools.create(pool('kill', ['10.6.0.0/24']))
        await allHave('kill', count)
      }
      // Dead before the note was written, once: nothing had begun.
      expect([...ends.keys()].sort()).toEqual(['0', `${count}`])
      expect(ends.get(`${count}`)).toBe(1)
      expect(await wrongsAtRest(cluster)).toEqual([])
    },
    5 * minutes,
  )
})
